import { CaseAge } from '#components/disputes/case-age.tsx'
import type { Column } from '#components/table/columns.ts'
import { Hint } from '#components/values/hint.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { ageOf, byAge, type CaseList, claimKind, type QueueRow, timeKey } from '#lib/disputes/queue/queue.ts'
import { sameAccount } from '#lib/values/user-id.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Assignee } from './assignee.tsx'
import { MarkBadge } from './mark-badge.tsx'
import { FactAmount, FactState } from './use-facts.tsx'

const textOrder = (a: string, b: string): number => a.localeCompare(b, 'en')

/** Which columns a list has, in order. */
const columnsOf: Readonly<Record<CaseList, readonly string[]>> = {
  OPEN: ['case', 'age', 'reason', 'amount', 'state', 'party', 'against', 'claim'],
  RESOLVED: ['case', 'resolved', 'reason', 'outcome', 'amount', 'state', 'party', 'against', 'age'],
  ALL: ['case', 'status', 'age', 'reason', 'amount', 'state', 'party', 'against', 'claim'],
}

/** The columns of a list. */
export const queueColumns = (list: CaseList): readonly Column<QueueRow>[] =>
  columnsOf[list].flatMap((wanted) => all.filter(({ id }) => id === wanted))

const all: readonly Column<QueueRow>[] = [
  {
    id: 'case',
    head: 'Case',
    always: true,
    cell: ({ id }) => <Reference short mark value={id} name="Case id" href={`/disputes/${encodeURIComponent(id)}`} />,
  },
  {
    id: 'status',
    head: 'Status',
    compare: (a, b) => textOrder(a.status, b.status),
    cell: ({ status }) => <StateBadge state={status} of="case" />,
  },
  {
    id: 'outcome',
    head: 'Outcome',
    compare: (a, b) => textOrder(a.outcome ?? '', b.outcome ?? ''),
    cell: ({ outcome }) => (outcome === null ? '–' : <ServiceName of="resolutionOutcome" name={outcome} />),
  },
  {
    id: 'age',
    head: 'Age',
    compare: (a, b) => byAge(b, a),
    matches: ({ createdAt }, wanted) => ageOf(createdAt, Date.now()) === wanted,
    cell: ({ createdAt, status }) => (
      // As wide as with the longest word, so that nothing moves when the page comes alive.
      <span className="inline-block min-w-38">
        <CaseAge createdAt={createdAt} status={status} />
      </span>
    ),
  },
  {
    id: 'resolved',
    head: 'Resolved',
    compare: (a, b) => textOrder(timeKey(a.resolvedAt ?? ''), timeKey(b.resolvedAt ?? '')),
    cell: ({ resolvedAt }) => (resolvedAt === null ? null : <ListTime value={resolvedAt} />),
  },
  {
    id: 'reason',
    head: 'Reason',
    always: true,
    cell: ({ id, reason }) => (
      // As wide with a mark as without one: news must not move the columns.
      <span className="flex w-[38ch] items-center gap-2">
        <MarkBadge id={id} />
        <Reason text={visibleText(reason)} />
      </span>
    ),
  },
  { id: 'amount', head: 'Amount', align: 'right', cell: ({ reference }) => <FactAmount reference={reference} /> },
  { id: 'state', head: 'Transaction', cell: ({ reference }) => <FactState reference={reference} /> },
  {
    id: 'party',
    head: 'Raised by',
    matches: ({ raisedBy, against }, wanted) => sameAccount(raisedBy, wanted) || sameAccount(against, wanted),
    cell: ({ raisedBy }) => <User id={raisedBy} />,
  },
  { id: 'against', head: 'Against', cell: ({ against }) => <User id={against} /> },
  {
    id: 'claim',
    head: 'Assignee',
    matches: (row, wanted) => row.status === 'OPEN' && claimKind(row) === wanted,
    cell: ({ claim, status }) => (status === 'OPEN' || claim !== null ? <Assignee claim={claim} /> : null),
  },
]

const ListTime = ({ value }: { value: string }) => (
  // As wide as a date, so that nothing moves when the page comes alive.
  <span className="inline-block min-w-20">
    <Timestamp value={value} as="relative" />
  </span>
)

const Reason = ({ text }: { text: string }) => (
  <Hint text={text}>
    <bdi className="block min-w-0 truncate">{text === '' ? '–' : text}</bdi>
  </Hint>
)

const User = ({ id }: { id: string }) => (
  <Reference short mark value={id} name="User id" href={`/users/${encodeURIComponent(id)}`} />
)
