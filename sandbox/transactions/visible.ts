import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'

export const transactionNotFound = (): Refusal => new Refusal(404, 'core::kineto::not_found', 'No such transaction.')

export function visibleTo(caller: Caller, row: LedgerRow): boolean {
  return (
    caller.can.seesAllTransactions === true ||
    row.from_account_id === caller.userId ||
    row.to_account_id === caller.userId
  )
}
