import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { RESERVE_ACCOUNT_ID } from './accounts.ts'
import { formatUnits, type Units } from './amount.ts'
import { appendState, createTransaction } from './append.ts'
import { reserve } from './movements.ts'
import { onChain } from './reference.ts'
import type { LedgerRow } from './rows.ts'
import { ACCEPTED_SECONDS, scheduleDue } from './schedule.ts'
import { newRow } from './transaction-row.ts'

const HOLD_SECONDS = DEPOSIT_HOLD_HOURS * 3600

export interface NewDeposit {
  readonly referenceId: string
  readonly userId: string
  readonly units: Units
  readonly note: string
  readonly at: string
}

export function queueDeposit(trx: Trx, deposit: NewDeposit): Promise<LedgerRow> {
  const amount = formatUnits(deposit.units)
  const row = newRow(deposit.at, {
    reference_id: deposit.referenceId,
    from_account_id: RESERVE_ACCOUNT_ID,
    to_account_id: deposit.userId,
    credit: amount,
    debit: amount,
    transaction_type: 'DEPOSIT',
    state: 'QUEUED',
    note: deposit.note,
  })
  return createTransaction(trx, row)
}

/** QUEUED to PENDING: records the bank's reference and moves no money. */
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
