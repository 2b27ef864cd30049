import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { currentRow } from '#sandbox/ledger/rows.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { appendMessage } from './messages.ts'
import { requireArbitrator } from './parties.ts'
import { moveMoney, type Resolution, readResolution, reversalOf } from './resolution.ts'
import { lockedVisibleCase, requireOpen } from './visible.ts'
import { type CaseRow, caseBody, type MessageRow, messageBody } from './wire.ts'

interface Resolved {
  readonly row: CaseRow
  readonly message: MessageRow
  readonly reversal: string | null
}

export async function resolveCase(world: World, caller: Caller, caseId: string, given: Resolution): Promise<Answer> {
  const resolution = readResolution(given)
  const { row, message, reversal } = await world.db.transaction().execute(async (trx) => {
    // All code that takes both locks takes the ledger first.
    await lockLedger(trx)
    const open = await lockedVisibleCase(trx, caller, caseId)
    requireArbitrator(caller, [open.raised_by_user_id, open.counterparty_user_id])
    requireOpen(open)
    return await closeCase(world, trx, caller, open, resolution)
  })
  const payload = caseBody(row)
  world.disputeEvents.publish({ name: 'MessagePosted', caseId: row.id, payload: messageBody(message) })
  world.disputeEvents.publish({ name: 'CaseResolved', caseId: row.id, payload })
  return ok({ ...payload, ...reversalOf(reversal) })
}

async function closeCase(
  world: World,
  trx: Trx,
  caller: Caller,
  open: CaseRow,
  resolution: Resolution,
): Promise<Resolved> {
  const at = world.clock.now()
  const reversal = await moveOrFind(world, trx, open.reference_id, resolution, at)
  const body =
    reversal === null ? 'Resolved: the recipient keeps the money.' : `Resolved: the sender is refunded by ${reversal}.`
  const message = await appendMessage(trx, world.random, { caseId: open.id, senderUserId: null, body, at })
  const row = await trx
    .updateTable('dispute_case')
    .set({
      status: 'RESOLVED',
      resolution_outcome: reversal === null ? 'RELEASED' : 'REFUNDED',
      resolution_reason: resolution.resolutionReason,
      resolved_by_user_id: caller.userId,
      resolved_at: at,
    })
    .where('id', '=', open.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, message, reversal }
}

/**
 * Returns the reversal, or null without a refund. After `Transaction/dispute/resolve` the case can only be closed with
 * the same outcome.
 */
async function moveOrFind(
  world: World,
  trx: Trx,
  referenceId: string,
  resolution: Resolution,
  at: string,
): Promise<string | null> {
  const transaction = await currentRow(trx, referenceId)
  if (transaction?.state === 'DISPUTED') return await moveMoney(trx, world.random, transaction, resolution, at)
  const reversal = await trx
    .selectFrom('ledger_row')
    .select('reference_id')
    .where('reversal_of', '=', referenceId)
    .executeTakeFirst()
  if (resolution.releaseToRecipient !== (reversal === undefined)) {
    const happened = reversal === undefined ? 'The recipient has the money' : 'The sender is refunded'
    throw new Refusal(409, 'core::disputes::settled', `${happened} already: the case can be resolved in that way only.`)
  }
  return reversal?.reference_id ?? null
}
