import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import type { Result } from '#lib/service/answer.ts'
import { read } from '#lib/service/read.ts'
import type { Session } from '#lib/session/session.ts'
import { recordState } from './states-seen.ts'

/** `GET Transaction/{referenceId}`, by exact text. Records the state as seen. */
export async function readTransaction(session: Session, referenceId: string): Promise<Result<Transaction>> {
  const result = await read(session, endpoints.transactions.read, { referenceId })
  if (result.ok) recordState(result.value, result.serviceTime)
  return result
}

export interface HistoryPage {
  readonly rows: readonly Row<Transaction>[]
  readonly total: number
}

/** `GET Transaction/account/{accountId}`: `page` from 1, at most 100 rows. Empty past the end. */
export async function readAccountHistory(
  session: Session,
  accountId: string,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<Result<HistoryPage>> {
  const query = { page: String(page), pageSize: String(pageSize) }
  const result = await read(session, endpoints.transactions.history, { accountId }, query)
  if (!result.ok) return result
  const { transactions, totalCount } = result.value
  return { ...result, value: { rows: transactions, total: totalCount } }
}
