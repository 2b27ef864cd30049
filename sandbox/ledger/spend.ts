import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { formatUnits, type Units } from './amount.ts'
import { appendState, createTransaction } from './append.ts'
import { bucketBalance } from './balances.ts'
import { release, reserve, transfer } from './movements.ts'
import { onChain } from './reference.ts'
import type { LedgerRow } from './rows.ts'
import { ACCEPTED_SECONDS, scheduleDue } from './schedule.ts'
import { type FirstRow, firstRow } from './transaction-row.ts'

/** Counted from the creation of a protected transfer or purchase. */
export const DISPUTE_WINDOW_SECONDS = 72 * 3600

/** For protected transfers and purchases. Instant ones have no fee. */
export const FEES = { SLOW: 10_000_000n, STANDARD: 25_000_000n, FAST: 50_000_000n } as const satisfies Record<
  string,
  Units
>

export type GasTier = keyof typeof FEES

/** How references of each type begin. */
export const REFERENCE_KINDS = { P2P: 'P2P', PURCHASE: 'PUR', WITHDRAWAL: 'WDR' } as const

export type Spend = FirstRow & { readonly type: keyof typeof REFERENCE_KINDS }

/** The ledger must be locked. */
export const covers = async (trx: Trx, accountId: string, units: Units): Promise<boolean> =>
  (await bucketBalance(trx, accountId, 'available')) >= units

/** Final, without a fee. The caller must have checked the balance. */
export function spendInstantly(trx: Trx, spend: Spend): Promise<LedgerRow> {
  const row = { ...firstRow(spend), state: 'PROCESSED', ...onChain(), settled_at: spend.at }
  return createTransaction(trx, row, transfer(row))
}

/** The fee is reserved after the amount. If the balance does not cover it, the transaction fails and releases all. */
export async function spendProtected(trx: Trx, spend: Spend, fee: Units, slow: boolean): Promise<LedgerRow> {
  const first = firstRow(spend)
  const queued = await createTransaction(trx, first, reserve(first))
  const pending = await appendState(trx, queued, { state: 'PENDING', recorded_at: spend.at })
  if (!(await covers(trx, spend.from, fee))) {
    const failed = { state: 'FAIL', fail_reason: FEE_NOT_COVERED, settled_at: spend.at, recorded_at: spend.at }
    return await appendState(trx, pending, failed, release(pending))
  }
  const debit = formatUnits(spend.units + fee)
  const chain = slow ? {} : onChain()
  const onlyFee = reserve({ ...pending, credit: '0', debit: formatUnits(fee) })
  const change = { state: 'PROCESSING', debit, ...chain, recorded_at: spend.at }
  const held = await appendState(trx, pending, change, onlyFee)
  await scheduleDue(trx, held.reference_id, plusSeconds(spend.at, slow ? ACCEPTED_SECONDS : DISPUTE_WINDOW_SECONDS))
  return held
}

const FEE_NOT_COVERED = 'The balance covers the amount but not the fee.'

/** Reserved now; the worker pays it out. */
export async function withdraw(trx: Trx, spend: Spend): Promise<LedgerRow> {
  const first = firstRow(spend)
  const queued = await createTransaction(trx, first, reserve(first))
  await scheduleDue(trx, queued.reference_id, plusSeconds(spend.at, ACCEPTED_SECONDS))
  return queued
}
