import type { FastifyInstance } from 'fastify'
import { PAGE_SIZE_DEFAULT } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { type Page, readPage } from '#sandbox/http/page.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { requiredText } from '#sandbox/http/required-text.ts'
import { type Answer, type Gate, ok, serve } from '#sandbox/http/serve.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { currentRow } from '#sandbox/ledger/rows.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { appendMessage, lengthOfThread, pageOfThread } from './messages.ts'
import { refuseParty } from './parties.ts'
import { moveMoney, type Resolution, readResolution, reversalOf } from './resolution.ts'
import { lockedVisibleCase, requireOpen, visibleCase } from './visible.ts'
import { type CaseRow, caseBody, type MessageRow, messageBody } from './wire.ts'

export function serveDisputes(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { disputes } = endpoints
  serve(app, gate, disputes.list, ({ query }, caller) =>
    listCases(world, caller, readCaseFilter(query), readPage(query)),
  )
  serve(app, gate, disputes.read, ({ params }, caller) => readCase(world, caller, params.caseId))
  serve(app, gate, disputes.messages, ({ params, query }, caller) =>
    listMessages(world, caller, params.caseId, readPage(query)),
  )
  serve(app, gate, disputes.post, ({ params, body }, caller) => postMessage(world, caller, params.caseId, body.body))
  serve(app, gate, disputes.resolve, ({ params, body }, caller) => resolveCase(world, caller, params.caseId, body))
}

const statuses = ['OPEN', 'RESOLVED'] as const

interface CaseFilter {
  readonly all: boolean
  readonly status: (typeof statuses)[number] | null
}

/** Validated for every caller, although only dispute admins are affected. */
function readCaseFilter(query: {
  readonly all?: string | undefined
  readonly status?: string | undefined
}): CaseFilter {
  const all = (query.all ?? 'false').toLowerCase()
  if (all !== 'true' && all !== 'false') throw invalidField('all', 'must be true or false')
  const status = statuses.find((known) => known === query.status) ?? null
  if (query.status !== undefined && status === null) throw invalidField('status', 'must be OPEN or RESOLVED')
  return { all: all === 'true', status }
}

async function listCases(world: World, caller: Caller, filter: CaseFilter, page: Page): Promise<Answer> {
  const { userId } = caller
  const everybodys = filter.all && caller.can.disputeAdmin === true
  const cases = everybodys
    ? world.db
        .selectFrom('dispute_case')
        .$if(filter.status !== null, (query) => query.where('status', '=', filter.status))
    : world.db
        .selectFrom('dispute_case')
        .where(({ or, eb }) => or([eb('raised_by_user_id', '=', userId), eb('counterparty_user_id', '=', userId)]))
  const { total } = await cases.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await cases
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute()
  return ok({ cases: rows.map(caseBody), totalCount: total })
}

async function listMessages(world: World, caller: Caller, caseId: string, page: Page): Promise<Answer> {
  const { id } = await visibleCase(world.db, caller, caseId)
  const messages = await pageOfThread(world.db, id, page)
  return ok({ messages: messages.map(messageBody), totalCount: await lengthOfThread(world.db, id) })
}

const BODY_MAX_CHARS = 4000

/** Written under the case's lock, so that no message follows the resolution. */
async function postMessage(world: World, caller: Caller, caseId: string, text: string): Promise<Answer> {
  const body = requiredText('body', text, BODY_MAX_CHARS)
  const posted = await world.db.transaction().execute(async (trx) => {
    const open = await lockedVisibleCase(trx, caller, caseId)
    requireOpen(open)
    return await appendMessage(trx, { caseId: open.id, senderUserId: caller.userId, body, at: world.clock.now() })
  })
  const payload = messageBody(posted)
  world.disputeEvents.publish({ name: 'MessagePosted', caseId: posted.case_id, payload })
  return ok(payload)
}

async function readCase(world: World, caller: Caller, caseId: string): Promise<Answer> {
  const row = await visibleCase(world.db, caller, caseId)
  const messages = await pageOfThread(world.db, row.id, { page: 1, pageSize: PAGE_SIZE_DEFAULT })
  return ok({ ...caseBody(row), messages: messages.map(messageBody) })
}

interface Resolved {
  readonly row: CaseRow
  readonly message: MessageRow
  readonly reversal: string | null
}

async function resolveCase(world: World, caller: Caller, caseId: string, given: Resolution): Promise<Answer> {
  const resolution = readResolution(given)
  const { row, message, reversal } = await world.db.transaction().execute(async (trx) => {
    // All code that takes both locks takes the ledger first.
    await lockLedger(trx)
    const open = await lockedVisibleCase(trx, caller, caseId)
    refuseParty(caller, [open.raised_by_user_id, open.counterparty_user_id])
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
  const reversal = await moveOrFind(trx, open.reference_id, resolution, at)
  const body =
    reversal === null ? 'Resolved: the recipient keeps the money.' : `Resolved: the sender is refunded by ${reversal}.`
  const message = await appendMessage(trx, { caseId: open.id, senderUserId: null, body, at })
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

/** The reversal, or null. After `Transaction/dispute/resolve` the case can only be closed with the same outcome. */
async function moveOrFind(trx: Trx, referenceId: string, resolution: Resolution, at: string): Promise<string | null> {
  const transaction = await currentRow(trx, referenceId)
  if (transaction?.state === 'DISPUTED') return await moveMoney(trx, transaction, resolution, at)
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
