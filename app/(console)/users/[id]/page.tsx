import type { ComponentProps } from 'react'
import { queryOf, readTableState, type TableState } from '#components/table/table-state.ts'
import type { Row } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import {
  type HistoryFilter,
  type HistoryStarts,
  readHistoryFilter,
  readHistoryStarts,
} from '#lib/users/history-filter.ts'
import { searchHistory } from '#lib/users/history-search.ts'
import type { ReadHistoryPage } from '#lib/users/whole-history.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { Money } from '#lib/values/money.ts'
import { TableViews } from '../../../saved-views/table-views.tsx'
import { type PageProps, RenderWithin, readOrSignIn, recordShown, segmentId, startRead } from '../../page-reads.tsx'
import { type HistoryRow, HistoryTable } from './history-table.tsx'

export default async function UserHistoryPage({ params, searchParams }: PageProps<{ id: string }>) {
  const session = await requireSession()
  const account = segmentId((await params).id)
  // The layout reports an invalid id.
  if (userIdFault(account) !== null) return null
  const query = queryOf(await searchParams)
  const { filter, faults } = readHistoryFilter(query)
  const starts = readHistoryStarts(query)
  const shown = { account, filter, faults: starts === null ? [...faults, PLACE_FAULT] : faults }
  const content = startRead(
    readHistory({ session, ...shown, starts: starts ?? NEWEST, state: readTableState(query).state }),
  )
  return (
    <TableViews session={session} table="account-history" path={`/users/${encodeURIComponent(account)}`} query={query}>
      <RenderWithin
        content={content}
        outline={<HistoryTable {...shown} {...UNREAD} reading={{ kind: 'loading' }} missingScopes={[]} />}
      />
    </TableViews>
  )
}

const PLACE_FAULT = 'The place in the address is not valid. Showing the newest.'
const NEWEST: HistoryStarts = { after: [], of: 0 }
const UNREAD = { search: null, names: { states: [], types: [] } } as const

type TableProps = ComponentProps<typeof HistoryTable>

interface HistoryOptions extends Pick<TableProps, 'account' | 'filter' | 'faults'> {
  session: Session
  starts: HistoryStarts
  state: TableState
}

async function readHistory({ session, account, filter, faults, starts, state }: HistoryOptions) {
  const readPage: ReadHistoryPage = (query) => readOrSignIn(readAccountHistory(session, account, query))
  const [found, access] = await Promise.all([
    filter === null ? pageOf(readPage, state) : searchedPage(readPage, filter, starts, state),
    readAccess(session),
  ])
  const needed = ['core:transactions:read', 'core:transactions:confirm'] as const
  const missingScopes = needed.filter((scope) => !may(access, scope))
  const common = { account, filter, faults, missingScopes }
  if ('problem' in found) {
    return <HistoryTable {...common} {...UNREAD} reading={{ kind: 'problem', problem: found.problem }} />
  }
  recordShown(session, { kind: 'user', id: account })
  return <HistoryTable {...common} {...found} />
}

type Found = Pick<TableProps, 'reading' | 'search' | 'names'> | { readonly problem: Problem }

async function pageOf(readPage: ReadHistoryPage, { page, size }: TableState): Promise<Found> {
  const result = await readPage({ page, pageSize: size })
  if (!result.ok) return result
  const { total } = result.value
  const rows = result.value.rows.map(historyRow)
  const readable = rows.flatMap((row) => (row.readable ? [row.value] : []))
  const names = { states: readable.map(({ state }) => state), types: readable.map(({ type }) => type) }
  return { reading: { kind: 'rows', rows, total }, search: null, names }
}

async function searchedPage(
  readPage: ReadHistoryPage,
  filter: HistoryFilter,
  { after, of }: HistoryStarts,
  { size }: TableState,
): Promise<Found> {
  const place = after.at(-1)
  const start = place === undefined ? null : { after: place, of }
  const result = await searchHistory(readPage, { filter, size, start })
  if (!result.ok) return result
  const { rows, states, types, fault, first, last, total } = result.value
  const hasMore = fault === null && last < total
  const matches = rows.filter(({ readable }) => readable).length
  const starts = after.map((before) => Math.max(0, before + total - of))
  if (total === 0) return { reading: { kind: 'rows', rows: [], total }, search: null, names: UNREAD.names }
  return {
    reading: { kind: 'rows', rows: rows.map(historyRow), hasMore },
    search: { matches, first, last, total, fault, starts, hasMore },
    names: { states, types },
  }
}

/** The transaction's own page shows a longer note in full. */
const NOTE_CHARS = 240

/** Sent to the browser, so it holds only what the table shows. */
function historyRow(row: Row<Transaction>): Row<HistoryRow> {
  if (!row.readable) return row
  const { referenceId: reference, createdAt, transactionType: type, state, debit, credit, note } = row.value
  const { fromAccountId: from, toAccountId: to } = row.value
  const characters = [...note]
  return {
    readable: true,
    value: {
      ...{ reference, createdAt, type, state, from, to, debit, credit },
      fee: feeOf(debit, credit),
      note: characters.slice(0, NOTE_CHARS).join(''),
      noteCutFrom: characters.length > NOTE_CHARS ? characters.length : null,
    },
  }
}

/** Computed on the server, so that browsers do not load the decimal arithmetic. */
function feeOf(debit: string, credit: string): string {
  const [pays, gets] = [Money.fromWire(debit), Money.fromWire(credit)]
  return pays === null || gets === null || pays.equals(gets) ? '' : pays.minus(gets).toExact()
}
