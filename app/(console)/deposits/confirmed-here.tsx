import type { TableState } from '#components/table/table-state.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { readConfirmedDeposits } from '#lib/deposits/confirmed-deposits.ts'
import type { Result } from '#lib/service/answer.ts'
import { leaveForSignIn } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { confirmedRow } from './confirmed-row.ts'
import { ConfirmedTable } from './confirmed-table.tsx'

interface ConfirmedHereOptions {
  session: Session
  state: TableState
  reference: string
  /** What the page itself looks up; null when it looks nothing up. */
  found: Promise<Result<Transaction>> | null
}

/** The deposits that this console confirmed. They are read after the one that the person waits for, which is not read twice. */
export async function readConfirmedHere({ session, state: { page, size }, reference, found }: ConfirmedHereOptions) {
  const known = found === null ? null : { reference, result: await found }
  const { everyone, deposits, total } = await readConfirmedDeposits(session, { page, size }, known)
  if (deposits.some(({ unread }) => typeof unread === 'object' && unread?.kind === 'session-over')) {
    return await leaveForSignIn()
  }
  const rows = deposits.map((deposit) => ({ readable: true, value: confirmedRow(deposit) }) as const)
  return <ConfirmedTable reading={{ kind: 'rows', rows, total }} everyone={everyone} />
}
