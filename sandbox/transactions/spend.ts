import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import type { Answer } from '#sandbox/http/serve.ts'
import { readAmount, type Units } from '#sandbox/ledger/amount.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { covers, FEES, type GasTier, type Spend, spendInstantly, spendProtected } from '#sandbox/ledger/spend.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { operationBody } from './wire.ts'

export interface SpendRequest {
  readonly type: 'P2P' | 'PURCHASE'
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly note: string
  readonly gasTier: GasTier
  readonly useEscrow: boolean
  readonly cardId: string | null
  readonly slow: boolean
  /** Runs under the ledger's lock; a refusal stops the spend. */
  check(trx: Trx, units: Units, now: string): Promise<Refusal | null>
}

export function requiredAmount(literal: string): Units {
  const amount = readAmount(literal)
  if (!amount.ok) throw invalidField('amount', amount.why)
  return amount.units
}

/** Checks and writes under one lock, so that concurrent spends cannot use the same money. */
export async function spend(world: World, request: SpendRequest): Promise<Answer> {
  const units = requiredAmount(request.amount)
  if (request.from === request.to) throw refused(request.type, 'Nobody can pay themselves.')
  const row = await world.db.transaction().execute((trx) => write(world, trx, request, units))
  return answerOf(row, request)
}

async function write(world: World, trx: Trx, request: SpendRequest, units: Units): Promise<LedgerRow> {
  await lockLedger(trx)
  const at = world.clock.now()
  const refusal = await request.check(trx, units, at)
  if (refusal !== null) throw refusal
  if (!(await covers(trx, request.from, units)))
    throw refused(request.type, 'The available balance does not cover this.')
  const made: Spend = {
    referenceId: newReference(request.type === 'P2P' ? 'P2P' : 'PUR', at),
    type: request.type,
    from: request.from,
    to: request.to,
    units,
    note: request.note,
    cardId: request.cardId,
    at,
  }
  if (!request.useEscrow) return await spendInstantly(trx, made)
  return await spendProtected(trx, made, FEES[request.gasTier], request.slow)
}

function answerOf(row: LedgerRow, request: SpendRequest): Answer {
  const accepted = request.slow && request.useEscrow && row.state === 'PROCESSING'
  const messages: Readonly<Record<string, string>> = {
    PROCESSED: 'Done.',
    PROCESSING: accepted ? 'Accepted; the chain has not confirmed it yet.' : 'Held in escrow for the dispute window.',
    FAIL: row.fail_reason,
  }
  return { status: accepted ? 202 : 200, data: operationBody(row, messages[row.state] ?? '', accepted) }
}

export const refused = (type: 'P2P' | 'PURCHASE' | 'WITHDRAWAL', title: string): Refusal => {
  const operation = { P2P: 'p2p', PURCHASE: 'purchase', WITHDRAWAL: 'withdraw' }[type]
  return new Refusal(400, `core::kineto::${operation}::initiate::fail`, title)
}
