'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react'
import { noticeWords, QueueMarks } from '#components/disputes/case-marks.tsx'
import { ExportButton, ExportStrip, useExport } from '#components/export/export-strip.tsx'
import { DataTable } from '#components/table/data-table.tsx'
import { AddressLink, type TableAddress, useTableAddress } from '#components/table/table-address.tsx'
import { byId, type Reading, usePageTable } from '#components/table/use-table.ts'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import {
  ages,
  type CaseList,
  type ClaimFilter,
  type ComingFacts,
  notices,
  type QueueCounts,
  type QueueRow,
  type QueueView,
  type TurnFilter,
} from '#lib/disputes/queue/queue.ts'
import { awayWords, type Person } from '#lib/disputes/workspace/workspace.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { formatCount } from '#lib/values/words.ts'
import { segment, segments } from './class-names.ts'
import { FactsOfCases } from './facts-of-cases.tsx'
import { amountFault, FilterField, FilterSelect, reasonFault } from './filter-field.tsx'
import { Picking, usePickedCases } from './picked-cases.tsx'
import { addressableOf, filterQuery, validTableState } from './queue-address.ts'
import { CaseReadAhead, queueColumns, queueWidth } from './queue-columns.tsx'
import { ListLinks, listTitles, QUEUE_TABLE, SharedListLinks } from './queue-links.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { useCurrentQueue, useReadAhead } from './use-current-queue.ts'

const QueueEmpty = onDemand(() => import('./queue-empty.tsx').then((it) => it.QueueEmpty))
const AssignBar = onDemand(() => import('./assign-bar.tsx').then((it) => it.AssignBar))
const PeopleLoad = onDemand(() => import('./(with-queue)/[caseId]/reassign-dialog.tsx').then((it) => it.PeopleLoad))

interface QueueTableProps {
  initial: QueueView
  /** The query string that `initial` answers. */
  address: string
  facts: ComingFacts
  mayAssign: boolean
}

export function QueueTable({ initial, address: query, facts, mayAssign }: QueueTableProps) {
  const queue = useCurrentQueue(initial, query)
  const { view, latest } = queue
  const { list } = view.filter
  const address = useQueueAddress(list)
  const pickable = mayAssign && list !== 'RESOLVED'
  const withLast = address.state.sort?.column === 'last'
  const categorized = (view.counts.categories?.length ?? 0) > 0
  const columns = useMemo(
    () => queueColumns(list, { pickable, withLast, categorized }),
    [list, pickable, withLast, categorized],
  )
  const { rows, unreadableHere, total } = view
  const cases = usePickedCases(rows, view.filter)
  const [used, setUsed] = useState(false)
  const from = pickable ? colleagueOf(view) : null
  if (!used && (cases.picked.size > 0 || from !== null)) setUsed(true)
  const reading = useMemo((): Reading<QueueRow> => {
    const readable = rows.map((value) => ({ readable: true, value }) as const)
    return { kind: 'rows', rows: [...readable, ...Array(unreadableHere).fill({ readable: false })], total }
  }, [rows, unreadableHere, total])
  const running = useExport(`/api/export/cases?${filterQuery(new URLSearchParams(query))}`)
  const kit = usePageTable({ name: QUEUE_TABLE, columns, reading, address, rowId: byId })
  const { name, order } = listTitles[list]
  const first = rows[0]?.id ?? ''
  const mayReadAhead = queue.problem === null && latest.index.problem === null
  return (
    <FactsOfCases coming={facts} streamed={queue.facts}>
      <QueueMarks value={queue.marks}>
        <Picking value={cases}>
          <FirstCaseReadAhead id={mayReadAhead ? first : ''}>
            <div className={queueWidth}>
              <DataTable
                kit={kit}
                title={name + (address.state.sort === null ? order : '')}
                label="Dispute cases"
                opensByClick
                strip={
                  <>
                    <QueueFilters address={address} list={list} counts={latest.counts} />
                    <QueueStrip queue={queue}>
                      {latest.counts.assignees === null ? null : <PerPerson />}
                      <SharedListLinks />
                    </QueueStrip>
                    <ExportStrip running={running} />
                  </>
                }
                below={
                  used ? (
                    <Suspense>
                      <AssignBar {...{ cases, view, from }} address={query} onAssigned={queue.readAgain} />
                    </Suspense>
                  ) : null
                }
                tools={latest.counts.assignees === null ? null : <ExportButton running={running} />}
                empty={
                  <Suspense>
                    <QueueEmpty list={list} adminView={latest.adminView} hasOthers={view.listed > 0} />
                  </Suspense>
                }
              />
            </div>
          </FirstCaseReadAhead>
        </Picking>
      </QueueMarks>
    </FactsOfCases>
  )
}

/** Not in the table, which would render again. */
function FirstCaseReadAhead({ id, children }: { id: string; children: ReactNode }) {
  const isRead = useReadAhead(id) > 0 && id !== ''
  return <CaseReadAhead value={isRead ? id : null}>{children}</CaseReadAhead>
}

/** The one other person to whom all listed cases are assigned. */
function colleagueOf({ filter: { assignee }, rows: [first] }: QueueView): Person | null {
  const claim = first?.claim ?? null
  if (assignee === null || claim === null || claim === 'hidden' || claim.mine) return null
  return { actor: assignee, name: claim.name }
}

function useQueueAddress(list: CaseList): TableAddress {
  const addressable = useMemo(() => addressableOf(list), [list])
  const address = useTableAddress('of the service', addressable)
  const query = useSearchParams()
  return useMemo(
    () => ({ ...address, ...validTableState(new URLSearchParams(query.toString()), address) }),
    [address, query],
  )
}

function PerPerson() {
  const hydrated = useHydrated()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" popoverTarget={id} disabled={!hydrated} className="[anchor-name:--per-person]">
        Per person
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        className="inset-auto m-0 mt-1 max-h-[min(70dvh,calc(100%-0.5rem))] w-96 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-card p-3.5 text-foreground text-sm shadow-[var(--lift)] [position-anchor:--per-person] [position-area:bottom_span-left] [position-try:most-height_flip-block]"
      >
        {isOpen ? (
          <Suspense>
            <PeopleLoad onChosen={() => menu.current?.hidePopover()} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}

type FilterOption = readonly [value: string, word: string, count: number | null]

const claimWords: readonly (readonly [claim: ClaimFilter, word: string])[] = [
  ['mine', 'Mine'],
  ['snoozed', 'Snoozed'],
  ['unassigned', 'Unassigned'],
  ['others', 'Others’'],
]

const turnWords: readonly (readonly [turn: TurnFilter, word: string])[] = [
  ['us', 'Us'],
  ['party', 'A party'],
  ['unknown', 'Not known'],
]

const amountFields = [
  ['amountFrom', 'Amount from'],
  ['amountTo', 'Amount to'],
] as const

interface QueueFiltersProps {
  address: TableAddress
  list: CaseList
  counts: QueueCounts
}

function QueueFilters({ address, list, counts }: QueueFiltersProps) {
  const { filters } = address.state
  const hydrated = useHydrated()
  const [isOpen, setIsOpen] = useState(false)
  const chosen = Object.keys(filters).length
  // There are no counts when the operator may not see assignees and messages.
  const claims = claimWords.map(([claim, word]) => [claim, word, counts.claims?.[claim] ?? null] as const)
  const turns = turnWords.map(([turn, word]) => [turn, word, counts.turns?.[turn] ?? null] as const)
  const ofNotices = notices.map((notice) => [notice, noticeWords[notice], counts.notices?.[notice] ?? null] as const)
  const ofAges = ages.map(({ id, words }) => [id, words, counts.ages?.[id] ?? null] as const)
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-3.5 py-2.5">
      <Button
        variant="outline"
        size="sm"
        className="sm:hidden"
        aria-expanded={isOpen}
        disabled={!hydrated}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters{chosen === 0 ? '' : ` (${chosen})`}
      </Button>
      <div className={cn('flex w-full flex-wrap items-start gap-x-3 gap-y-2', isOpen ? '' : 'max-sm:hidden')}>
        <FilterField
          address={address}
          filter="text"
          label="Reason"
          placeholder="first 240 characters"
          clear="Clear the reason filter"
          faultOf={reasonFault}
        />
        <FilterField
          address={address}
          filter="party"
          label="Party"
          placeholder="user id"
          clear="Clear the party filter"
          faultOf={userIdFault}
        />
        {amountFields.map(([filter, label]) => (
          <FilterField
            key={filter}
            address={address}
            filter={filter}
            label={label}
            placeholder="BZD"
            clear={`Clear ${label.toLowerCase()}`}
            faultOf={amountFault}
          />
        ))}
        <SelectedFilters {...{ address, list, counts }} />
      </div>
      <ListLinks list={list} />
      <div className={cn('contents', isOpen ? '' : 'max-sm:hidden')}>
        {list === 'RESOLVED' ? null : (
          <>
            <FilterLinks address={address} label="assignee" filter="claim" any="Everyone’s" options={claims} />
            <FilterLinks address={address} label="turn" filter="turn" any="Any turn" options={turns} />
            <FilterLinks
              address={address}
              label="unread messages"
              filter="unread"
              any="Read or not"
              options={[['yes', 'Unread', counts.unread]]}
            />
          </>
        )}
        {counts.notices === null ? null : (
          <FilterLinks address={address} label="mention and watch" filter="notice" any="Any case" options={ofNotices} />
        )}
        <FilterLinks address={address} label="age" filter="age" any="Any age" options={ofAges} />
        {list === 'RESOLVED' ? null : <OrderLinks address={address} />}
      </div>
    </div>
  )
}

const SelectedFilters = ({ address, list, counts }: QueueFiltersProps) => (
  <>
    {list === 'RESOLVED' || counts.assignees === null ? null : (
      <FilterSelect
        address={address}
        filter="assignee"
        label="Assignee"
        any="anyone"
        replaces="claim"
        options={counts.assignees.map(({ actor, awayUntil, ...one }) => ({
          ...{ ...one, value: actor, note: awayUntil === null ? '' : `, ${awayWords(awayUntil)}` },
        }))}
      />
    )}
    {counts.categories === null || counts.categories.length === 0 ? null : (
      <FilterSelect
        address={address}
        filter="category"
        label="Category"
        any="any or none"
        options={counts.categories.map(({ id, retired, ...one }) => ({
          ...{ ...one, value: id, note: retired ? ', retired' : '' },
        }))}
      />
    )}
  </>
)

interface FilterLinksProps {
  address: TableAddress
  label: string
  filter: string
  /** Label of the link that removes the filter. */
  any: string
  options: readonly FilterOption[]
}

function FilterLinks({ address, label, filter, any, options }: FilterLinksProps) {
  const { filters } = address.state
  const { [filter]: chosen, ...others } = filters
  return (
    <nav aria-label={`Cases by ${label}`} className={segments}>
      <AddressLink
        address={address}
        change={{ filters: others }}
        aria-current={chosen === undefined ? 'true' : undefined}
        className={segment}
      >
        {any}
      </AddressLink>
      {options.map(([value, word, count]) => (
        <AddressLink
          key={value}
          address={address}
          change={{ filters: withFilter(filters, filter, value) }}
          aria-current={chosen === value ? 'true' : undefined}
          className={segment}
        >
          {word}
          {count === null ? null : <span className="figures font-normal">{formatCount(count)}</span>}
        </AddressLink>
      ))}
    </nav>
  )
}

/** Without the filter that would leave nothing. */
function withFilter(filters: TableAddress['state']['filters'], filter: string, value: string) {
  const { [excludedBy(filter, value, filters)]: _excluded, ...others } = filters
  return { ...others, [filter]: value }
}

function excludedBy(filter: string, value: string, { turn }: TableAddress['state']['filters']): string {
  if (filter === 'claim') return 'assignee'
  if (filter === 'unread' && turn === 'unknown') return 'turn'
  return value === 'unknown' ? 'unread' : ''
}

const orders = [
  ['age', 'By age'],
  ['last', 'By last message'],
  ['amount', 'By amount'],
] as const

const OrderLinks = ({ address }: { address: TableAddress }) => (
  <nav aria-label="Order of cases" className={segments}>
    {orders.map(([column, words]) => (
      <AddressLink
        key={column}
        address={address}
        change={{ sort: column === 'age' ? null : { column, descending: column === 'amount' } }}
        aria-current={column === (address.state.sort?.column ?? 'age') ? 'true' : undefined}
        className={segment}
      >
        {words}
      </AddressLink>
    ))}
  </nav>
)
