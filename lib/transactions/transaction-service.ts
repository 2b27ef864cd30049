import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import type { Result } from '#lib/service/answer.ts'
import { read } from '#lib/service/read.ts'
import type { Session } from '#lib/session/session.ts'
import { noteState } from './states-seen.ts'

/** `GET Transaction/{referenceId}`: by the exact text of the reference. The state it is in is noted as seen. */
export async function readTransaction(session: Session, referenceId: string): Promise<Result<Transaction>> {
  const result = await read(session, endpoints.transactions.read, { referenceId })
  if (result.ok) noteState(result.value, result.serviceTime)
  return result
}

/** A page of an account's transactions, newest first. */
export interface HistoryPage {
  /** One that does not fit the contract is unreadable; its place on the page is all that is known of it. */
  readonly rows: readonly Row<Transaction>[]
  /** Across all pages. */
  readonly total: number
}

/** `GET Transaction/account/{accountId}`: `page` from 1, at most 100 a page. Past the end a page is empty. */
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
