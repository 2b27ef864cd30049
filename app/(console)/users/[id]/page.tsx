import { queryOf, readTableState, type TableState } from '#components/table/table-state.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { fitsFilter, type HistoryFilter, readHistoryFilter } from '#lib/users/history-filter.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { Money } from '#lib/values/money.ts'
import { TableViews } from '../../../saved-views/table-views.tsx'
import { RenderWithin, readOrSignIn, recordShown, segmentId, startRead } from '../../page-reads.tsx'
import { type HistoryRow, HistoryTable } from './history-table.tsx'

interface HistoryPageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function UserHistoryPage({ params, searchParams }: HistoryPageProps) {
  const session = await requireSession()
  const account = segmentId((await params).id)
  // The layout reports an invalid id.
  if (userIdFault(account) !== null) return null
  const query = queryOf(await searchParams)
  const { filter, faults } = readHistoryFilter(query)
  const shown = { account, filter, faults }
  const content = startRead(readHistory({ session, ...shown, state: readTableState(query).state }))
  return (
    <TableViews session={session} table="account-history" path={`/users/${encodeURIComponent(account)}`} query={query}>
      <RenderWithin
        content={content}
        outline={<HistoryTable {...shown} {...UNREAD} reading={{ kind: 'loading' }} missingScopes={[]} />}
      />
    </TableViews>
  )
}

const UNREAD = { filtered: null, names: { states: [], types: [] } } as const

interface HistoryOptions {
  session: Session
  account: string
  filter: HistoryFilter | null
  faults: readonly string[]
  state: TableState
}

async function readHistory({ session, account, filter, faults, state: { page, size } }: HistoryOptions) {
  const [result, access] = await Promise.all([
    readOrSignIn(readAccountHistory(session, account, { page, pageSize: size })),
    readAccess(session),
  ])
  if (result.ok) recordShown(session, { kind: 'user', id: account })
  const needed = ['core:transactions:read', 'core:transactions:confirm'] as const
  const missingScopes = needed.filter((scope) => !may(access, scope))
  const common = { account, filter, faults, missingScopes }
  if (!result.ok) {
    return <HistoryTable {...common} {...UNREAD} reading={{ kind: 'problem', problem: result.problem }} />
  }
  const { total } = result.value
  const rows = result.value.rows.map(historyRow)
  const readable = rows.flatMap((row) => (row.readable ? [row.value] : []))
  const names = { states: readable.map(({ state }) => state), types: readable.map(({ type }) => type) }
  // A page beyond the end has nothing to filter.
  if (filter === null || rows.length === 0) {
    return <HistoryTable {...common} names={names} reading={{ kind: 'rows', rows, total }} filtered={null} />
  }
  // A filter never hides a row that cannot be read.
  const fits = fitsFilter(filter)
  const shown = rows.filter((row) => !row.readable || fits(row.value))
  return (
    <HistoryTable
      {...common}
      names={names}
      reading={{ kind: 'rows', rows: shown, total: shown.length }}
      filtered={{ shown: shown.length, read: rows.length, total }}
    />
  )
}

/** The transaction's own page shows a longer note in full. */
const NOTE_CHARS = 240

/** Sent to the browser, so it holds only what the table shows. */
function historyRow(row: Row<Transaction>): Row<HistoryRow> {
  if (!row.readable) return row
  const { referenceId, createdAt, transactionType, state, fromAccountId, toAccountId, debit, credit, note } = row.value
  const characters = [...note]
  return {
    readable: true,
    value: {
      reference: referenceId,
      createdAt,
      type: transactionType,
      state,
      from: fromAccountId,
      to: toAccountId,
      debit,
      credit,
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
