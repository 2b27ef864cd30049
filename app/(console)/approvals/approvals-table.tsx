'use client'

import Link from 'next/link'
import { useRouter, useSearchParams } from 'next/navigation'
import { type FormEvent, useEffect, useMemo, useTransition } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import { ExportButton, ExportStrip, useExport } from '#components/export/export-strip.tsx'
import { DayRange } from '#components/form/date-field.tsx'
import { Options, SelectField } from '#components/form/select-field.tsx'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { EmptyRows } from '#components/frame/panel.tsx'
import { onWaitingChange, useWaiting } from '#components/frame/waiting-watch.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import type { Column } from '#components/table/columns.ts'
import { AddressFaults, DataTable } from '#components/table/data-table.tsx'
import { ClearLink, useFilterHref } from '#components/table/saved-views.tsx'
import { RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { byId, usePageTable } from '#components/table/use-table.ts'
import { Badge, badgeOf } from '#components/ui/badge.tsx'
import { SearchButton } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { AlarmClock, Ban, Check, Hourglass, type Icon } from '#components/ui/icons.tsx'
import { usePageKey } from '#components/ui/kbd.tsx'
import { CutText } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ListTime, Timestamp, useDayZone } from '#components/values/timestamp.tsx'
import {
  APPROVE_FRAGMENT,
  type ApprovalFilter,
  allOf,
  approvalQuery,
  isFiltered,
  statusWords,
  viewWords,
  withApprovalFilter,
} from '#lib/activity/approval-filter.ts'
import { kindWords } from '#lib/activity/kind-words.ts'
import {
  type ApprovalViewName,
  approvalViews,
  type GivenDecision,
  type RequestRow,
  type RequestStatus,
  requestStatuses,
} from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { zoneOf } from '#lib/values/address-filter.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

interface ApprovalsTableProps {
  filter: ApprovalFilter
  faults: readonly string[]
  kinds: readonly CommandKindName[]
  found: { readonly rows: readonly RequestRow[]; readonly total: number; readonly cut: boolean }
  /** False if the person's scopes could not be read, so requests of others are missing. */
  known: boolean
}

export function ApprovalsTable({ filter, faults, kinds, found, known }: ApprovalsTableProps) {
  const { view } = filter
  const router = useRouter()
  const refresh = useAutomaticRefresh()
  useEffect(() => onWaitingChange(refresh), [refresh])
  const address = useTableAddress('of the service')
  const rows = useMemo(() => found.rows.map((value) => ({ readable: true, value }) as const), [found.rows])
  const query = approvalQuery(filter).toString()
  const columns = useMemo(() => columnsFor(view, query), [view, query])
  const name = `approvals-${view}`
  const kit = usePageTable({ name, columns, reading: { kind: 'rows', rows, total: found.total }, address, rowId: byId })
  usePageKey('a', () => {
    const link = document.activeElement?.closest('[data-row]')?.querySelector('a[href]')
    if (view === 'waiting' && link) router.push(`${link.getAttribute('href')}#${APPROVE_FRAGMENT}`)
  })
  const running = useExport(`/api/export/approvals${query === '' ? '' : `?${query}`}`)
  return (
    <div className="grid grid-cols-1 gap-3">
      <ViewLinks filter={filter} />
      <FilterForm key={view} filter={filter} kinds={kinds} />
      <DataTable
        key={name}
        kit={kit}
        title={titles[view]}
        label={viewWords[view]}
        opensByClick
        tools={faults.length > 0 ? null : <ExportButton running={running} />}
        strip={
          <>
            <AddressFaults faults={[...faults, ...(known ? [] : [NOT_KNOWN]), ...(found.cut ? [CUT] : [])]} />
            <ExportStrip running={running} />
          </>
        }
        empty={<Empty filter={filter} known={known} />}
      />
    </div>
  )
}

const titles: Readonly<Record<ApprovalViewName, string>> = {
  waiting: 'Waiting for me, most urgent first',
  requested: 'Requested by me, newest first',
  decided: 'Decided, newest request first',
}

const NOT_KNOWN = 'Your scopes could not be read, so requests of others are missing. Reload the page in a moment.'
const CUT = 'More requests wait than this list can check. Decide these first, or filter by kind.'

const emptyWords: Readonly<Record<ApprovalViewName, readonly [none: string, what: string]>> = {
  waiting: ['Nothing waits for your decision', 'Changes that you may approve or decline appear here.'],
  requested: ['You have asked for no approvals', 'Your changes that need an approval appear here, with each decision.'],
  decided: ['No decisions yet', 'Approved, declined, expired and cancelled requests appear here.'],
}

function Empty({ filter, known }: { filter: ApprovalFilter; known: boolean }) {
  const [none, what] = emptyWords[filter.view]
  if (isFiltered(filter)) return <p>No approvals match this filter.</p>
  return <EmptyRows title={known || filter.view === 'requested' ? none : 'Not known'}>{what}</EmptyRows>
}

function useApprovalsHref(): (filter: ApprovalFilter) => string {
  const hrefOf = useFilterHref('approvals', '/approvals')
  return (filter) => hrefOf((query) => withApprovalFilter(query, filter))
}

function ViewLinks({ filter }: { filter: ApprovalFilter }) {
  const hrefOf = useApprovalsHref()
  const waiting = useWaiting().toDecide.length
  return (
    <nav aria-label="Approvals" className="flex gap-5 overflow-x-auto border-b">
      {approvalViews.map((view) => (
        <Link
          key={view}
          href={hrefOf(allOf(view))}
          prefetch={false}
          scroll={false}
          aria-current={view === filter.view ? 'page' : undefined}
          // The current list leads nowhere, so the Tab key skips it.
          tabIndex={view === filter.view && !isFiltered(filter) ? -1 : undefined}
          className="min-h-9 whitespace-nowrap border-transparent border-b-2 px-0.5 py-1.5 font-[550] text-secondary-foreground text-sm hover:text-foreground aria-[current]:border-primary aria-[current]:text-foreground"
        >
          {viewWords[view]}
          {view === 'waiting' && waiting > 0 ? (
            <span className="figures text-attention"> {formatCount(waiting)}</span>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}

function FilterForm({ filter, kinds }: Pick<ApprovalsTableProps, 'filter' | 'kinds'>) {
  const router = useRouter()
  const query = useSearchParams()
  const hrefOf = useApprovalsHref()
  const [going, startGoing] = useTransition()
  const zone = zoneOf(filter, useDayZone())
  const shown = hrefOf(filter)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (going) return
    const text = (name: keyof ApprovalFilter) => fieldText(event.currentTarget, name).trim()
    const [from, to] = [text('from'), text('to')]
    const outcome = text('outcome') as ApprovalFilter['outcome']
    const days = { from, to, zone: from === '' && to === '' ? '' : zone }
    const href = hrefOf({ view: filter.view, person: text('person'), kind: text('kind'), outcome, ...days })
    startGoing(() => (href === shown ? router.refresh() : router.push(href, { scroll: false })))
  }
  return (
    <Card>
      <form
        onSubmit={show}
        action="/approvals"
        className="grid grid-cols-2 gap-x-3 max-sm:gap-y-2 px-3.5 pt-1.5 pb-2 sm:grid-cols-4 min-[1301px]:grid-cols-[8rem_8rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <input type="hidden" name="view" value={filter.view} />
        <DayRange from={query.get('from') ?? ''} to={query.get('to') ?? ''} zone={zone} relative />
        <SelectField key={`kind ${filter.kind}`} label="Kind" name="kind" initial={filter.kind}>
          <option value="">Any kind</option>
          <Options choices={kinds.map((kind) => [kind, kindWords[kind]])} />
        </SelectField>
        <TextField label="Person" name="person" placeholder="me, or a name" initial={filter.person} />
        {filter.view === 'waiting' ? null : (
          <SelectField key={`outcome ${filter.outcome}`} label="Outcome" name="outcome" initial={filter.outcome}>
            <option value="">Any outcome</option>
            <Options choices={requestStatuses.map((status) => [status, statusWords[status].word])} />
          </SelectField>
        )}
        <div className="col-span-2 flex items-start gap-2 max-sm:pb-2 sm:pt-5.5 min-[1301px]:col-span-1">
          <SearchButton aria-disabled={going}>Show</SearchButton>
          {isFiltered(filter) ? <ClearLink href={hrefOf(allOf(filter.view))} /> : null}
        </div>
      </form>
    </Card>
  )
}

type RequestColumn = Column<RequestRow>

const amount: RequestColumn = {
  id: 'amount',
  head: 'Amount',
  align: 'right',
  cell: ({ amount }) => (amount === null ? null : <Money amount={amount} />),
}

const TEXT_WIDTH = 'max-w-full max-sm:whitespace-normal sm:max-w-[30ch]'

const person: RequestColumn = {
  id: 'by',
  head: 'Requested by',
  cell: ({ actorName }) => <CutText text={actorName} className={TEXT_WIDTH} />,
}

const reason: RequestColumn = {
  id: 'reason',
  head: 'Reason',
  isText: true,
  cell: (row) => (
    <div>
      <CutText text={row.reason} className={TEXT_WIDTH} />
    </div>
  ),
}

const requested: RequestColumn = {
  id: 'requested',
  head: 'Requested',
  cell: ({ askedAt, overdue }) => (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <ListTime value={askedAt} />
      {overdue === null ? null : (
        <Badge variant="attention" icon={AlarmClock}>
          waiting for {overdue}
        </Badge>
      )}
    </span>
  ),
}

const expires: RequestColumn = {
  id: 'expires',
  head: 'Expires',
  cell: ({ status, expiresAt }) =>
    status === 'waiting' || status === 'approved' ? <Timestamp value={expiresAt} as="ahead" /> : null,
}

const decisions: RequestColumn = {
  id: 'decisions',
  head: 'Decisions',
  isText: true,
  cell: ({ decisions, needed, status, outcome }) => (
    <span className="grid gap-y-0.5 py-1">
      {decisions.map((given) => (
        <Decision key={`${given.by} ${given.at}`} given={given} />
      ))}
      {status === 'waiting' ? (
        <span className="figures text-secondary-foreground">
          {decisions.length} of {needed} {needed === 1 ? 'approval' : 'approvals'}
        </span>
      ) : null}
      {outcome.class === 'approval' && outcome.rereadOf !== undefined ? (
        <span className="text-attention">Updates to read</span>
      ) : null}
    </span>
  ),
}

const request: RequestColumn = {
  id: 'request',
  head: 'Request',
  cell: ({ status }) => badgeOf(statusIcons[status], statusWords[status].meaning, statusWords[status].word),
}

const became: RequestColumn = {
  id: 'outcome',
  head: 'Outcome',
  cell: (row) =>
    row.status === 'sent' ? <OutcomeBadge command={row} /> : <CutText text={endWords(row)} className={TEXT_WIDTH} />,
}

function columnsFor(view: ApprovalViewName, query: string): readonly RequestColumn[] {
  const area = view === 'requested' ? 'activity' : 'approvals'
  const rest = view === 'waiting' && query !== '' ? `?${query}` : ''
  const change: RequestColumn = {
    id: 'change',
    head: 'Change',
    always: true,
    cell: ({ id, title, target }) => (
      <span className="-ml-1">
        <RowLink href={`/${area}/${encodeURIComponent(id)}${rest}`}>{visibleText(title)}</RowLink>
        {title.includes(shortId(target)) ? null : <Reference value={target} name="About" className="ml-2" />}
      </span>
    ),
  }
  if (view === 'waiting') return [change, amount, person, reason, requested, expires, decisions]
  if (view === 'requested') return [change, amount, request, decisions, requested, expires, became]
  return [change, amount, person, request, decisions, became, requested]
}

const Decision = ({ given: { by, approves, reason, at } }: { given: GivenDecision }) => {
  const Icon = approves ? Check : Ban
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 sm:flex-nowrap">
      <Icon aria-hidden className={approves ? 'size-3.5 shrink-0 text-good' : 'size-3.5 shrink-0 text-attention'} />
      <span className="sm:whitespace-nowrap">
        <span className="sr-only">{approves ? 'Approved' : 'Declined'} by </span>
        <bdi>{visibleText(by)}</bdi>, <Timestamp value={at} as="past" />
      </span>
      {reason === '' ? null : <CutText text={reason} className={TEXT_WIDTH} />}
    </span>
  )
}

const statusIcons: Readonly<Record<RequestStatus, Icon>> = {
  waiting: Hourglass,
  approved: Check,
  sent: Check,
  declined: Ban,
  expired: AlarmClock,
  cancelled: Ban,
  ended: Ban,
}

function endWords({ status, outcome }: Pick<RequestRow, 'status' | 'outcome'>): string {
  if (status === 'waiting') return ''
  if (status === 'approved') return 'Not sent yet'
  if (outcome.class === 'changed') return 'Not sent: the data had changed'
  return status === 'ended' && outcome.class === 'refused' ? `Not sent: ${outcome.title}` : 'Not sent'
}
