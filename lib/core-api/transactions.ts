import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { ConfirmResult, Transaction } from '#lib/contract/transactions.ts'
import type { Session } from '#lib/session/session.ts'
import type { Result } from './answer.ts'
import { read } from './read.ts'
import { type Sent, send } from './send.ts'

/** `GET Transaction/{referenceId}`: by the exact text of the reference. */
export const readTransaction = (session: Session, referenceId: string): Promise<Result<Transaction>> =>
  read(session, endpoints.transactions.read, { referenceId })

/** `POST Transaction/deposit/confirm`. */
export const confirmDeposit = (
  session: Session,
  body: { readonly referenceId: string; readonly bankReference: string },
): Promise<Sent<ConfirmResult>> => send(session, endpoints.transactions.confirmDeposit, {}, body)
