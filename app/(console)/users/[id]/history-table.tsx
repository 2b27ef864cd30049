'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type FormEvent, useMemo, useTransition } from 'react'
import { ExportButton, ExportStrip, useExport } from '#components/export/export-strip.tsx'
import { DayRange } from '#components/form/date-field.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { fieldText } from '#components/form/text-field.tsx'
import { EmptyRows } from '#components/frame/panel.tsx'
import { ProblemMarks } from '#components/service/problem-panel.tsx'
import { RetryButton } from '#components/service/retry-button.tsx'
import type { Column } from '#components/table/columns.ts'
import { AddressFaults, DataTable } from '#components/table/data-table.tsx'
import { ClearLink, useFilterHref } from '#components/table/saved-views.tsx'
import { AddressLink, RowLink, type TableAddress, useTableAddress } from '#components/table/table-address.tsx'
import type { TableState } from '#components/table/table-state.ts'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { VIEW } from '#components/table/view-address.ts'
import { buttonVariants, SearchButton } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { ArrowDownLeft, ArrowUpRight, CircleAlert } from '#components/ui/icons.tsx'
import { MissingScope } from '#components/values/explained.tsx'
import { ServiceName } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference, UserReference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { ListTime, useDayZone } from '#components/values/timestamp.tsx'
import type { Scope } from '#lib/contract/scopes.ts'
import { transactionStates } from '#lib/contract/states.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { pauseSeconds, problemWords } from '#lib/service/problem-words.ts'
import { awaitsConfirmation, transactionStateWords } from '#lib/transactions/transaction.ts'
import { type HistoryFilter, startsText, withHistoryFilter } from '#lib/users/history-filter.ts'
import type { HistorySearch } from '#lib/users/history-search.ts'
import { zoneOf } from '#lib/values/address-filter.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount, serviceWord } from '#lib/values/words.ts'

/** Values are kept as received from the service. */
export interface HistoryRow extends Readonly<Pick<Transaction, 'createdAt' | 'state' | 'debit' | 'credit'>> {
  readonly reference: string
  readonly type: string
  readonly from: string
  readonly to: string
  /** Debit minus credit; empty when they are equal or not readable. */
  readonly fee: string
  readonly note: string
  /** The full length of a cut note, in characters; null when `note` is complete. */
  readonly noteCutFrom: number | null
}

interface HistoryTableProps {
  account: string
  reading: Reading<HistoryRow>
  filter: HistoryFilter | null
  faults: readonly string[]
  /** Null when there is no filter or nothing was read. */
  search: Search | null
  /** As options: the service may send names that this console does not know. */
  names: { readonly states: readonly string[]; readonly types: readonly string[] }
  /** The scopes for reading, exporting and confirming that the operator lacks. */
  missingScopes: readonly Scope[]
}

export function HistoryTable(props: HistoryTableProps) {
  const { account, reading, filter, faults, search, names, missingScopes } = props
  const pages = useTableAddress('of the service')
  const address = search === null ? pages : searchAddress(pages, search)
  const columns = useMemo(() => historyColumns(account, missingScopes), [account, missingScopes])
  const kit = usePageTable({ name: 'account-history', columns, reading, address, rowId: ({ reference }) => reference })
  const running = useExport(`/api/export/history?${withHistoryFilter(new URLSearchParams({ account }), filter)}`)
  const mayRead = !missingScopes.includes('core:transactions:read')
  const exporting = faults.length > 0 ? null : <ExportButton running={running} />
  return (
    <div className="grid gap-4">
      <Card>
        <HistoryFilterForm filter={filter} names={names} />
      </Card>
      <DataTable
        kit={kit}
        title="Transactions, newest first"
        label="Transactions of this user"
        tools={mayRead ? exporting : <MissingScope scope="core:transactions:read">Export CSV</MissingScope>}
        strip={
          <>
            <AddressFaults faults={faults} />
            {search === null ? null : <SearchNote search={search} address={address} />}
            <ExportStrip running={running} />
          </>
        }
        empty={search === null ? NO_ROWS : <p>{search.fault === null ? NO_MATCH : 'The search did not finish.'}</p>}
      />
    </div>
  )
}

const NO_ROWS = <EmptyRows title="No transactions yet">Refused transfers do not appear.</EmptyRows>

const NO_MATCH = 'No match in the rows searched.'

export const historyColumns = (account: string, missingScopes: readonly Scope[]): readonly Column<HistoryRow>[] => [
  {
    id: 'reference',
    head: 'Reference',
    always: true,
    cell: ({ reference }) => (
      <Reference short value={reference} name="Reference" href={`/transactions/${encodeURIComponent(reference)}`} />
    ),
  },
  { id: 'time', head: 'Time', cell: ({ createdAt }) => <ListTime value={createdAt} /> },
  {
    id: 'type',
    head: 'Type',
    cell: ({ type }) => (
      <span className="inline-block max-w-[16ch] truncate align-middle">
        <ServiceName of="transactionType" name={type} />
      </span>
    ),
  },
  { id: 'state', head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'act',
    head: 'Confirm',
    quietHead: true,
    cell: (row) =>
      awaitsConfirmation(row) ? <Confirm reference={row.reference} missingScopes={missingScopes} /> : null,
  },
  { id: 'other', head: 'From or to', cell: (row) => <OtherAccount row={row} account={account} /> },
  { id: 'debit', head: 'Sender pays', align: 'right', cell: ({ debit }) => <Money amount={debit} /> },
  { id: 'credit', head: 'Recipient gets', align: 'right', cell: ({ credit }) => <Money amount={credit} /> },
  { id: 'fee', head: 'Fee', align: 'right', cell: ({ fee }) => (fee === '' ? null : <Money amount={fee} />) },
  { id: 'note', head: 'Note', cell: (row) => (row.note === '' ? null : <Note row={row} />) },
]

function OtherAccount({ row: { from, to }, account }: { row: HistoryRow; account: string }) {
  const outgoing = sameAccount(from, account)
  const other = outgoing ? to : from
  const [word, Icon] = outgoing ? (['to', ArrowUpRight] as const) : (['from', ArrowDownLeft] as const)
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 text-muted-foreground" />
      <span className="w-7 text-left text-secondary-foreground">{word}</span>
      <UserReference id={other} />
    </span>
  )
}

function Note({ row: { note, noteCutFrom } }: { row: HistoryRow }) {
  const text = visibleText(note)
  return (
    <bdi
      data-hint={
        noteCutFrom === null
          ? text
          : `${text}… The whole note, ${formatCount(noteCutFrom)} characters, is on the transaction’s page.`
      }
      className="inline-block max-w-[10ch] truncate align-middle 2xl:max-w-[24ch]"
    >
      {text}
    </bdi>
  )
}

function Confirm({ reference, missingScopes }: { reference: string; missingScopes: readonly Scope[] }) {
  const scope = 'core:transactions:confirm'
  if (missingScopes.includes(scope)) return <MissingScope scope={scope}>Confirm</MissingScope>
  return <RowLink href={`/deposits?${new URLSearchParams({ reference })}`}>Confirm</RowLink>
}

interface Search extends Pick<HistorySearch, 'first' | 'last' | 'total' | 'fault'> {
  readonly matches: number
  /** After which places this page and those before it start; none for the first page. */
  readonly starts: readonly number[]
  readonly hasMore: boolean
}

/** Where a page starts is known only when the one before it was searched. */
function searchAddress(pages: TableAddress, { starts, last, total }: Search): TableAddress {
  const withPlace = ({ page, ...change }: Partial<TableState>): Partial<TableState> => {
    if (page === undefined) return change
    return { ...change, filters: { after: startsText({ after: [...starts, last].slice(0, page - 1), of: total }) } }
  }
  return {
    ...pages,
    state: { ...pages.state, page: starts.length + 1 },
    hrefFor: (change) => pages.hrefFor(withPlace(change)),
    go: (change) => pages.go(withPlace(change)),
  }
}

const withChosen = (names: readonly string[], chosen: string): string[] => [
  ...new Set(chosen === '' ? names : [...names, chosen]),
]

function HistoryFilterForm({ filter, names: { states, types } }: Pick<HistoryTableProps, 'filter' | 'names'>) {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const filteredHref = useFilterHref('account-history', path)
  const [going, startGoing] = useTransition()
  const zone = zoneOf(filter, useDayZone())
  const hrefOf = (wanted: HistoryFilter | null) => filteredHref((now) => withHistoryFilter(now, wanted))
  const { state: chosenState, type: chosenType } = filter ?? { state: '', type: '' }
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (going) return
    const text = (name: keyof HistoryFilter) => fieldText(event.currentTarget, name).trim()
    const [from, to] = [text('from'), text('to')]
    const days = { from, to, zone: from === '' && to === '' ? '' : zone }
    startGoing(() => router.push(hrefOf({ state: text('state'), type: text('type'), ...days }), { scroll: false }))
  }
  return (
    <form
      onSubmit={show}
      action={path}
      className="grid grid-cols-2 gap-x-3 gap-y-2 px-3.5 py-2.5 sm:grid-cols-[repeat(auto-fit,minmax(148px,1fr))] lg:grid-cols-[1fr_1fr_auto_1fr_1fr]"
    >
      {/* Before hydration, the browser submits the form. */}
      {['size', VIEW, 'zone'].map((name) =>
        query.has(name) ? <input key={name} type="hidden" name={name} value={query.get(name) ?? ''} /> : null,
      )}
      <SelectField key={`state ${chosenState}`} label="State" name="state" initial={chosenState}>
        <option value="">Any state</option>
        {withChosen([...transactionStates, ...states], chosenState).map((state) => (
          <option key={state} value={state}>
            {visibleText(transactionStateWords(state).word)}
          </option>
        ))}
      </SelectField>
      <SelectField key={`type ${chosenType}`} label="Type" name="type" initial={chosenType}>
        <option value="">Any type</option>
        {withChosen(types, chosenType).map((type) => (
          <option key={type} value={type}>
            {visibleText(serviceWord('transactionType', type) ?? type)}
          </option>
        ))}
      </SelectField>
      <div className="flex items-start gap-2 max-sm:col-span-full sm:pt-5.5">
        <SearchButton aria-disabled={going}>Show</SearchButton>
        {filter === null ? null : <ClearLink href={hrefOf(null)} />}
      </div>
      {/* Three Tabs lead from the first field to its button, so the dates come after it. */}
      <DayRange from={query.get('from') ?? ''} to={query.get('to') ?? ''} zone={zone} />
    </form>
  )
}

function SearchNote({ search, address }: { search: Search; address: TableAddress }) {
  const { matches, first, last, total, fault, hasMore } = search
  const words = fault === null ? null : problemWords(fault)
  const searched =
    last < first
      ? 'No rows left to search'
      : `Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(total)} searched`
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-muted px-3.5 py-2 text-secondary-foreground text-sm">
      <p role="status" className="figures mr-auto">
        {searched}: {counted(matches, 'match', 'matches')}.
      </p>
      {fault === null ? (
        <AddressLink
          address={address}
          change={{ page: address.state.page + 1 }}
          disabled={!hasMore}
          className={buttonVariants({ variant: 'outline' })}
        >
          Search further
        </AddressLink>
      ) : (
        <RetryButton seconds={pauseSeconds(fault)} />
      )}
      {fault === null || words === null ? null : (
        <div role="alert" className="w-full">
          <p className="flex items-center gap-1.5 text-attention">
            <CircleAlert aria-hidden className="size-4 shrink-0" />
            {words.title}. {words.advice}
          </p>
          <ProblemMarks problem={fault} />
        </div>
      )}
    </div>
  )
}
