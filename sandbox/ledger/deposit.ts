import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { RESERVE_ACCOUNT_ID } from './accounts.ts'
import { appendState, createTransaction } from './append.ts'
import { reserve } from './movements.ts'
import { onChain } from './reference.ts'
import type { LedgerRow } from './rows.ts'
import { ACCEPTED_SECONDS, scheduleDue } from './schedule.ts'
import { type FirstRow, firstRow } from './transaction-row.ts'

const HOLD_SECONDS = DEPOSIT_HOLD_HOURS * 3600

export const queueDeposit = (trx: Trx, deposit: Omit<FirstRow, 'type' | 'from'>): Promise<LedgerRow> =>
  createTransaction(trx, firstRow({ ...deposit, type: 'DEPOSIT', from: RESERVE_ACCOUNT_ID }))

export function acceptConfirmation(trx: Trx, queued: LedgerRow, bankReference: string, at: string): Promise<LedgerRow> {
  return appendState(trx, queued, { state: 'PENDING', bank_reference: bankReference, recorded_at: at })
}

/** For an answer of 202: the worker mints later. */
export async function scheduleMint(trx: Trx, pending: LedgerRow): Promise<void> {
  await scheduleDue(trx, pending.reference_id, plusSeconds(pending.recorded_at, ACCEPTED_SECONDS))
}

/** PENDING to PROCESSING: mints into the holder's escrow and holds it for 24 hours. */
export async function mintIntoEscrow(trx: Trx, pending: LedgerRow, at: string): Promise<LedgerRow> {
  const change = { state: 'PROCESSING', ...onChain(), recorded_at: at }
  const minted = await appendState(trx, pending, change, reserve(pending))
  await scheduleDue(trx, minted.reference_id, plusSeconds(at, HOLD_SECONDS))
  return minted
}
