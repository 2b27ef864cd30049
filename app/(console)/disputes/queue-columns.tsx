import { createContext, useContext } from 'react'
import { CaseAge, MarkBadge, NoticeMarks, TurnCell } from '#components/disputes/case-marks.tsx'
import type { Column } from '#components/table/columns.ts'
import { ServiceName } from '#components/values/facts.tsx'
import { Reference, UserReference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { ListTime } from '#components/values/timestamp.tsx'
import type { CaseList, QueueRow } from '#lib/disputes/queue/queue.ts'
import { visibleText } from '#lib/values/text.ts'
import { FactAmount } from './facts-of-cases.tsx'
import { PickAllCases, PickCase } from './picked-cases.tsx'
import { sortsOf } from './queue-address.ts'
import { Assignee, FactState } from './queue-cells.tsx'

/** Nine columns must fit beside the rail, so ids, names and gaps are shorter below 1536 pixels. */
export const queueWidth =
  'sm:max-[1535px]:[&_[data-tail]>span]:max-w-[4ch] sm:max-[1535px]:[&_[data-assignee]]:max-w-[10ch] sm:max-[1535px]:[&_[data-until]]:sr-only sm:max-[1535px]:[&_[data-unread-word]]:sr-only sm:max-[1535px]:[&_td]:px-2 sm:max-[1535px]:[&_th]:px-2 sm:max-[1535px]:[&_td:last-child]:pr-5.5 sm:max-[1535px]:[&_td_[data-copy-area]>:last-child]:-ml-1'

const columnsOf: Readonly<Record<CaseList, readonly string[]>> = {
  OPEN: ['case', 'age', 'turn', 'reason', 'claim', 'amount', 'state', 'party', 'against'],
  RESOLVED: ['case', 'resolved', 'reason', 'outcome', 'category', 'amount', 'state', 'party', 'against', 'age'],
  ALL: ['case', 'status', 'age', 'turn', 'reason', 'category', 'claim', 'amount', 'state', 'party', 'against'],
}

interface ColumnChoice {
  /** Checkboxes in the case column. */
  readonly pickable?: boolean
  readonly withLast?: boolean
  /** The team has categories. */
  readonly categorized?: boolean
}

export const queueColumns = (
  list: CaseList,
  { pickable = false, withLast = false, categorized = false }: ColumnChoice = {},
): readonly Column<QueueRow>[] =>
  columnsOf[list]
    .filter((id) => id !== 'category' || categorized)
    .flatMap((id) => (id === 'turn' && withLast ? [id, 'last'] : [id]))
    .flatMap((wanted) =>
      all
        .filter(({ id }) => id === wanted)
        .map((column) => (pickable && column.id === 'case' ? { ...column, ...pickableCase } : column))
        .map((column) => ({ ...column, ordered: sortsOf[list].some((id) => id === wanted) })),
    )

export const CaseReadAhead = createContext<string | null>(null)

const CaseLink = ({ id }: { id: string }) => (
  <Reference
    short
    mark
    value={id}
    name="Case id"
    href={`/disputes/${encodeURIComponent(id)}`}
    prefetch={useContext(CaseReadAhead) === id}
  />
)

const pickableCase: Partial<Column<QueueRow>> = {
  beforeHead: <PickAllCases />,
  cell: ({ id }) => (
    <span className="flex items-center">
      <PickCase id={id} />
      <CaseLink id={id} />
    </span>
  ),
}

const all: readonly Column<QueueRow>[] = [
  { id: 'case', head: 'Case', always: true, cell: ({ id }) => <CaseLink id={id} /> },
  { id: 'status', head: 'Status', cell: ({ status }) => <StateBadge state={status} of="case" /> },
  {
    id: 'outcome',
    head: 'Outcome',
    cell: ({ outcome }) => (outcome === null ? '–' : <ServiceName of="resolutionOutcome" name={outcome} />),
  },
  {
    id: 'category',
    head: 'Category',
    cell: ({ category }) => (category === null ? '–' : <CategoryName name={visibleText(category)} />),
  },
  {
    id: 'age',
    head: 'Age',
    cell: ({ createdAt, status }) => (
      // As wide as the longest age, so that nothing moves on hydration.
      <span className="inline-block min-w-36 max-[1535px]:min-w-24">
        <CaseAge createdAt={createdAt} status={status} short />
      </span>
    ),
  },
  {
    id: 'turn',
    head: 'Turn',
    cell: ({ id, thread, answerBy }) => <TurnCell id={id} listed={thread} answerBy={answerBy} />,
  },
  {
    id: 'last',
    head: 'Last message',
    always: true,
    cell: ({ thread }) => (thread === null || thread.lastAt === null ? '–' : <ListTime value={thread.lastAt} />),
  },
  {
    id: 'resolved',
    head: 'Resolved',
    cell: ({ resolvedAt }) => (resolvedAt === null ? null : <ListTime value={resolvedAt} />),
  },
  {
    id: 'reason',
    head: 'Reason',
    always: true,
    fills: true,
    cell: ({ id, reason, notices }) => (
      <span className="flex items-center gap-2 max-sm:flex-wrap">
        <MarkBadge id={id} />
        <NoticeMarks notices={notices} />
        <Reason text={visibleText(reason)} />
      </span>
    ),
  },
  { id: 'amount', head: 'Amount', align: 'right', cell: ({ reference }) => <FactAmount reference={reference} /> },
  { id: 'state', head: 'Transaction', cell: ({ reference }) => <FactState reference={reference} /> },
  { id: 'party', head: 'Raised by', cell: ({ raisedBy }) => <UserReference id={raisedBy} /> },
  { id: 'against', head: 'Against', cell: ({ against }) => <UserReference id={against} /> },
  {
    id: 'claim',
    head: 'Assignee',
    cell: ({ claim, status }) => (status === 'OPEN' || claim !== null ? <Assignee claim={claim} /> : null),
  },
]

const CategoryName = ({ name }: { name: string }) => (
  <bdi title={name} className="inline-block max-w-[20ch] truncate align-middle">
    {name}
  </bdi>
)

const Reason = ({ text }: { text: string }) => (
  <bdi data-hint={text} className="block min-w-0 truncate max-sm:line-clamp-3 max-sm:whitespace-normal">
    {text === '' ? '–' : text}
  </bdi>
)
