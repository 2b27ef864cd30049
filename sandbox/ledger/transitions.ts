import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { appendState, createTransaction } from './append.ts'
import { release, settle, transfer } from './movements.ts'
import { newReference, onChain } from './reference.ts'
import type { LedgerRow } from './rows.ts'
import { cancelDue, scheduleDue, scheduleUnlessDue } from './schedule.ts'
import { DISPUTE_WINDOW_SECONDS } from './spend.ts'
import { reversalRow } from './transaction-row.ts'

export async function settleHeld(trx: Trx, held: LedgerRow, at: string): Promise<LedgerRow> {
  await cancelDue(trx, held.reference_id)
  return await appendState(trx, held, { state: 'PROCESSED', settled_at: at, recorded_at: at }, settle(held))
}

/** The dispute window counts from the creation, not from the confirmation. */
export async function confirmOnChain(trx: Trx, held: LedgerRow, at: string): Promise<LedgerRow> {
  await scheduleDue(trx, held.reference_id, plusSeconds(held.created_at, DISPUTE_WINDOW_SECONDS))
  return await appendState(trx, held, { state: 'PROCESSING', ...onChain(), recorded_at: at })
}

/** Stops settlement until the dispute is resolved. */
export async function markDisputed(trx: Trx, held: LedgerRow, at: string): Promise<LedgerRow> {
  await cancelDue(trx, held.reference_id)
  return await appendState(trx, held, { state: 'DISPUTED', recorded_at: at })
}

/** Held for review; due work waits. */
export const block = async (trx: Trx, held: LedgerRow, at: string): Promise<LedgerRow> =>
  await appendState(trx, held, { state: 'BLOCKED', recorded_at: at })

/** Settles when the window closes, or at once when it has passed. */
export async function unblock(trx: Trx, blocked: LedgerRow, at: string): Promise<LedgerRow> {
  await scheduleUnlessDue(trx, blocked.reference_id, at)
  return await appendState(trx, blocked, { state: 'PROCESSING', recorded_at: at })
}

export async function fail(trx: Trx, held: LedgerRow, reason: string, at: string): Promise<LedgerRow> {
  await cancelDue(trx, held.reference_id)
  const change = { state: 'FAIL', fail_reason: reason, settled_at: at, recorded_at: at }
  return await appendState(trx, held, change, release(held))
}

/** Appends a reversal, because ledger rows are never deleted, and returns it. */
export async function reverse(trx: Trx, held: LedgerRow, note: string, at: string): Promise<LedgerRow> {
  const settled = await settleHeld(trx, held, at)
  const row = reversalRow(at, settled, { reference_id: newReference('REV', at), note, ...onChain() })
  return await createTransaction(trx, row, transfer(row))
}
