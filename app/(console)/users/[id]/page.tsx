import { Suspense } from 'react'
import { queryOf, readTableState, type TableState } from '#components/table/table-state.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { TableViews } from '../../../saved-views/table-views.tsx'
import { readOrLeave } from '../../read-or-leave.ts'
import { historyRow } from './history-row.ts'
import { HistoryTable } from './history-table.tsx'

interface HistoryPageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function UserHistoryPage({ params, searchParams }: HistoryPageProps) {
  const session = await requireSession()
  const account = decodeURIComponent((await params).id)
  // The layout says what is wrong with it.
  if (userIdFault(account) !== null) return null
  const query = queryOf(await searchParams)
  const { state } = readTableState(query)
  return (
    <TableViews session={session} table="account-history" path={`/users/${encodeURIComponent(account)}`} query={query}>
      <Suspense fallback={<HistoryTable account={account} reading={{ kind: 'loading' }} missingScopes={[]} />}>
        <History session={session} account={account} state={state} />
      </Suspense>
    </TableViews>
  )
}

interface HistoryProps {
  session: Session
  account: string
  state: TableState
}

async function History({ session, account, state: { page, size } }: HistoryProps) {
  const [result, access] = await Promise.all([
    readOrLeave(readAccountHistory(session, account, { page, pageSize: size })),
    readAccess(session),
  ])
  const needed = ['core:transactions:read', 'core:transactions:confirm'] as const
  return (
    <HistoryTable
      account={account}
      reading={
        result.ok
          ? { kind: 'rows', rows: result.value.rows.map(historyRow), total: result.value.total }
          : { kind: 'problem', problem: result.problem }
      }
      missingScopes={needed.filter((scope) => !may(access, scope))}
    />
  )
}
