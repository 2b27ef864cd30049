import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { requiredText } from '#sandbox/http/required-text.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { DISPUTE_WINDOW_SECONDS } from '#sandbox/ledger/spend.ts'
import { markDisputed } from '#sandbox/ledger/transitions.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { appendMessage } from './messages.ts'
import { type Parties, partiesOf } from './parties.ts'
import { type CaseRow, caseBody } from './wire.ts'

const REASON_MAX_CHARS = 2000

export const newCase = z.strictObject({ referenceId: z.string(), raisedByUserId: z.string(), reason: z.string() })

type NewCase = Readonly<z.output<typeof newCase>>

export async function raiseCase(world: World, request: NewCase): Promise<ReturnType<typeof caseBody>> {
  requiredText('reason', request.reason, REASON_MAX_CHARS)
  const opened = await world.db.transaction().execute((trx) => openCase(trx, request, () => world.clock.now()))
  const payload = caseBody(opened)
  world.disputeEvents.publish({ name: 'CaseOpened', userId: opened.counterparty_user_id, payload })
  return payload
}

export async function openCase(trx: Trx, request: NewCase, now: () => string): Promise<CaseRow> {
  const row = request.referenceId.includes('\0') ? undefined : await lockedCurrentRow(trx, request.referenceId)
  if (row === undefined) throw new Refusal(404, 'sandbox::transaction::not_found', 'No such transaction.')
  const at = now()
  const fault = disputeFault(row, at)
  if (fault !== null) throw new Refusal(409, 'sandbox::transaction::state', fault)
  const { raisedBy, counterparty, side } = sidesOf(await partiesOf(trx, row), request.raisedByUserId)
  const disputed = await markDisputed(trx, row, at)
  const opened = await trx
    .insertInto('dispute_case')
    .values({
      id: randomUUID(),
      reference_id: disputed.reference_id,
      raised_by_user_id: raisedBy,
      counterparty_user_id: counterparty,
      status: 'OPEN',
      reason: request.reason,
      resolution_outcome: null,
      resolution_reason: null,
      resolved_by_user_id: null,
      created_at: at,
      resolved_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const body = `Opened by the ${side}. The money stays in escrow until the case is resolved.`
  await appendMessage(trx, { caseId: opened.id, senderUserId: null, body, at })
  return opened
}

function disputeFault(row: LedgerRow, at: string): string | null {
  const { transaction_type: type, state } = row
  if (type !== 'P2P' && type !== 'PURCHASE') return `Only transfers and purchases can be disputed; this is ${type}.`
  if (state !== 'PROCESSING') return `Only PROCESSING can be disputed; this is ${state}.`
  const closed = plusSeconds(row.created_at, DISPUTE_WINDOW_SECONDS) <= at
  return closed ? 'The dispute window has closed.' : null
}

function sidesOf({ sender, recipient }: Parties, raisedBy: string) {
  if (sender === recipient) throw invalidField('raisedByUserId', 'cannot dispute with themselves')
  if (raisedBy === sender) return { raisedBy, counterparty: recipient, side: 'sender' }
  if (raisedBy === recipient) return { raisedBy, counterparty: sender, side: 'recipient' }
  throw invalidField('raisedByUserId', 'must be one of the two parties')
}
