import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { ConfirmResult, Transaction } from '#lib/contract/transactions.ts'
import type { Row } from '#lib/contract/wire.ts'
import type { Session } from '#lib/session/session.ts'
import type { Result } from './answer.ts'
import { read } from './read.ts'
import { type Sent, send } from './send.ts'
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

/** `POST Transaction/deposit/confirm`. */
export const confirmDeposit = (
  session: Session,
  body: { readonly referenceId: string; readonly bankReference: string },
): Promise<Sent<ConfirmResult>> => send(session, endpoints.transactions.confirmDeposit, {}, body)

interface ResolutionAsked {
  readonly referenceId: string
  /** True: the recipient keeps the money. False: the sender is refunded by a reversing transaction. */
  readonly releaseToRecipient: boolean
  readonly resolutionReason: string
}

/** `POST Transaction/dispute/resolve`: gated by step-up. What it answers is not shown by the interface. */
export const resolveDispute = (session: Session, asked: ResolutionAsked): Promise<Sent<unknown>> =>
  send(session, endpoints.transactions.resolveDispute, {}, asked)
