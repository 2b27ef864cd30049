'use client'

import { useSearchParams } from 'next/navigation'
import { type FormEvent, Suspense, useId, useMemo, useState } from 'react'
import { fieldReference, fieldText, IgnoredNote } from '#components/form/text-field.tsx'
import { DataTable } from '#components/table/data-table.tsx'
import { AddressLink, type TableAddress, useTableAddress } from '#components/table/table-address.tsx'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { X } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import {
  ages,
  type CaseList,
  type ClaimFilter,
  type ComingFacts,
  type QueueCounts,
  type QueueRow,
  type QueueView,
} from '#lib/disputes/queue/queue.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { invisibleWords } from '#lib/values/visible-text.ts'
import { queueWidth, segment, segments } from './class-names.ts'
import { FactsOfCases } from './facts-of-cases.tsx'
import { Picking, usePickedCases } from './picked-cases.tsx'
import { addressableOf, TEXT_CHARS, validTableState } from './queue-address.ts'
import { QueueMarks } from './queue-cells.tsx'
import { CaseReadAhead, queueColumns } from './queue-columns.tsx'
import { ListLinks, listTitles, QUEUE_TABLE, SnippetsLink } from './queue-links.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { useCurrentQueue } from './use-current-queue.ts'
import { useReadAhead } from './use-read-ahead.ts'

const QueueEmpty = onDemand(() => import('./queue-empty.tsx').then((it) => it.QueueEmpty))
const AssignBar = onDemand(() => import('./assign-bar.tsx').then((it) => it.AssignBar))

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
  const columns = useMemo(() => queueColumns(list, pickable), [list, pickable])
  const { rows, unreadableHere, total } = view
  const cases = usePickedCases(rows)
  const [used, setUsed] = useState(false)
  if (!used && cases.picked.size > 0) setUsed(true)
  const reading = useMemo((): Reading<QueueRow> => {
    const readable = rows.map((value) => ({ readable: true, value }) as const)
    return { kind: 'rows', rows: [...readable, ...Array(unreadableHere).fill({ readable: false })], total }
  }, [rows, unreadableHere, total])
  const kit = usePageTable({ name: QUEUE_TABLE, columns, reading, address })
  const { name, order } = listTitles[list]
  const first = rows[0]?.id ?? ''
  const isReadAhead = useReadAhead(first) > 0 && queue.problem === null && latest.index.problem === null
  return (
    <FactsOfCases coming={facts} streamed={queue.facts}>
      <QueueMarks value={queue.marks}>
        <Picking value={cases}>
          <CaseReadAhead value={isReadAhead ? first : null}>
            <div className={queueWidth}>
              <DataTable
                name={QUEUE_TABLE}
                kit={kit}
                address={address}
                title={name + (address.state.sort === null ? order : '')}
                label="Dispute cases"
                opensByClick
                strip={
                  <>
                    <QueueFilters address={address} list={list} counts={latest.counts} />
                    <QueueStrip queue={queue} />
                  </>
                }
                below={
                  used ? (
                    <Suspense>
                      <AssignBar cases={cases} rows={rows} onAssigned={queue.readAgain} />
                    </Suspense>
                  ) : null
                }
                tools={<SnippetsLink />}
                empty={
                  <Suspense>
                    <QueueEmpty list={list} adminView={latest.adminView} hasOthers={view.listed > 0} />
                  </Suspense>
                }
              />
            </div>
          </CaseReadAhead>
        </Picking>
      </QueueMarks>
    </FactsOfCases>
  )
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

const claims: readonly (readonly [claim: ClaimFilter, word: string])[] = [
  ['mine', 'Mine'],
  ['snoozed', 'Snoozed'],
  ['unassigned', 'Unassigned'],
  ['others', 'Others’'],
]

interface QueueFiltersProps {
  address: TableAddress
  list: CaseList
  counts: QueueCounts
}

/** All filters are in the address. */
function QueueFilters({ address, list, counts }: QueueFiltersProps) {
  const { filters } = address.state
  const { claim: _claim, ...otherThanClaim } = filters
  const { age: _age, ...otherThanAge } = filters
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-3.5 py-2.5">
      <div className="flex w-full flex-wrap gap-x-3 gap-y-2">
        <FilterField
          key={`text ${filters.text}`}
          address={address}
          filter="text"
          label="Reason"
          placeholder="first 240 characters"
          clear="Clear the reason filter"
          faultOf={() => null}
        />
        <FilterField
          key={`party ${filters.party}`}
          address={address}
          filter="party"
          label="Party"
          placeholder="user id"
          clear="Clear the party filter"
          faultOf={userIdFault}
        />
      </div>
      <ListLinks list={list} />
      {list === 'RESOLVED' ? null : (
        <nav aria-label="Cases by assignee" className={segments}>
          <AddressLink
            address={address}
            change={{ filters: otherThanClaim }}
            aria-current={filters.claim === undefined ? 'true' : undefined}
            className={segment}
          >
            Everyone’s
          </AddressLink>
          {claims.map(([claim, word]) => (
            <AddressLink
              key={claim}
              address={address}
              change={{ filters: { ...filters, claim } }}
              aria-current={filters.claim === claim ? 'true' : undefined}
              className={segment}
            >
              {word}
              {/* There are no counts when the operator may not see assignees. */}
              {counts.claims === null ? null : <Count of={counts.claims[claim]} />}
            </AddressLink>
          ))}
        </nav>
      )}
      <nav aria-label="Cases by age" className={segments}>
        <AddressLink
          address={address}
          change={{ filters: otherThanAge }}
          aria-current={filters.age === undefined ? 'true' : undefined}
          className={segment}
        >
          Any age
        </AddressLink>
        {ages.map(({ id, words }) => (
          <AddressLink
            key={id}
            address={address}
            change={{ filters: { ...filters, age: id } }}
            aria-current={filters.age === id ? 'true' : undefined}
            className={segment}
          >
            {words}
            <Count of={counts.ages[id]} />
          </AddressLink>
        ))}
      </nav>
    </div>
  )
}

const Count = ({ of }: { of: number }) => <span className="figures font-normal">{of.toLocaleString('en-US')}</span>

interface FilterFieldProps {
  address: TableAddress
  filter: 'party' | 'text'
  label: string
  placeholder: string
  /** Label of the link that removes the filter. */
  clear: string
  /** Null when the typed text can be searched for. */
  faultOf: (typed: string) => string | null
}

/** A user id matches exactly, for cases raised by the user and against the user. */
function FilterField({ address, filter, label, placeholder, clear, faultOf }: FilterFieldProps) {
  const hydrated = useHydrated()
  const id = useId()
  const { [filter]: wanted = '', ...others } = address.state.filters
  const [fault, setFault] = useState<string | null>(null)
  const [ignored, setIgnored] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = filter === 'party' ? fieldReference(form, filter) : fieldText(form, filter).trim()
    const wrong = typed === '' ? null : faultOf(typed)
    setFault(wrong)
    if (wrong === null) address.go({ filters: typed === '' ? others : { ...others, [filter]: typed } })
  }
  return (
    <form onSubmit={submit} className="min-w-56 max-w-md flex-1">
      <div className="flex min-h-8 items-center gap-1 rounded-md border border-input bg-card px-2.5 focus-within:border-primary">
        <label htmlFor={id} className="shrink-0 text-muted-foreground text-xs">
          {label}
        </label>
        <input
          id={id}
          name={filter}
          defaultValue={wanted}
          onInput={({ currentTarget: { value } }) => setIgnored(filter === 'party' ? invisibleWords(value) : null)}
          disabled={!hydrated}
          placeholder={placeholder}
          maxLength={filter === 'text' ? TEXT_CHARS : undefined}
          aria-describedby={`${id}-fault`}
          aria-invalid={fault !== null}
          autoComplete="off"
          spellCheck={false}
          className={cn(
            'min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-muted-foreground',
            filter === 'party' && 'mono',
          )}
        />
        {wanted === '' ? null : (
          <AddressLink
            address={address}
            change={{ filters: others }}
            aria-label={clear}
            className="grid size-6 place-items-center rounded text-muted-foreground hover:text-foreground"
          >
            <X aria-hidden className="size-3.5" />
          </AddressLink>
        )}
      </div>
      <p id={`${id}-fault`} role="status" className="text-danger text-xs">
        {fault}
      </p>
      {ignored === null ? null : <IgnoredNote what={ignored} />}
    </form>
  )
}
