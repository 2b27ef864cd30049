import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { newCase, raiseCase } from '#sandbox/disputes/raise-case.ts'
import { type Faults, fault } from '#sandbox/http/faults.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import type { RequestLog } from '#sandbox/http/request-log.ts'
import type { Hub } from '#sandbox/hub/hub.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import { balancesOf } from '#sandbox/ledger/balances.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { block, fail, markDisputed, reverse, unblock } from '#sandbox/ledger/transitions.ts'
import { workDue } from '#sandbox/ledger/work-due.ts'
import { transactionBody } from '#sandbox/transactions/wire.ts'
import { resetWorld } from '#sandbox/world/reset.ts'
import { writeSetting } from '#sandbox/world/setting.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { frontPage } from './front-page.ts'

const ADVANCE_MAX_SECONDS = 10 * 366 * 86_400
const advance = z.strictObject({ advanceSeconds: z.int().min(0).max(ADVANCE_MAX_SECONDS) })

const expireRequest = z.strictObject({ userId: z.string(), refresh: z.boolean().default(false) })

const DOWN_MAX_MS = 600_000
const dropRequest = z.strictObject({ downMs: z.int().min(0).max(DOWN_MAX_MS).default(0) })

interface ControlParts {
  readonly faults: Faults
  readonly log: RequestLog
  readonly hub: Hub
  readonly tokens: Tokens
}

/** Endpoints outside the interface, for people and tests; `control-list.ts` lists them. */
export function serveControls(app: FastifyInstance, world: World, { faults, log, hub, tokens }: ControlParts): void {
  serveLedgerControls(app, world)

  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/sandbox', async (_request, reply) => reply.type('text/html; charset=utf-8').send(await frontPage(world)))

  app.post('/sandbox/reset', async () => {
    faults.clear()
    await resetWorld(world)
    hub.startOver()
    return { reset: true }
  })

  app.get('/sandbox/clock', async () => ({ now: world.clock.now() }))

  app.post('/sandbox/clock', async (request) => {
    const { advanceSeconds } = readControl(advance, request)
    world.clock.advanceSeconds(advanceSeconds)
    await writeSetting(world.db, 'clock_offset_ticks', String(world.clock.offsetTicks))
    await workDue(world)
    return { now: world.clock.now() }
  })

  app.get<{ Params: { userId: string } }>('/sandbox/balances/:userId', async (request) => {
    const { userId } = request.params
    const account = await world.db.selectFrom('account').select('id').where('id', '=', userId).executeTakeFirst()
    if (account === undefined) throw new Refusal(404, 'sandbox::account::not_found', 'No such account.')
    return await balancesOf(world.db, userId)
  })

  app.get<{ Querystring: { after?: string } }>('/sandbox/requests', async (request) => {
    const after = request.query.after ?? '0'
    if (!/^\d{1,15}$/.test(after)) throw invalidField('after', 'must be a whole number')
    return { requests: log.after(Number(after)) }
  })

  app.get('/sandbox/faults', async () => ({ faults: faults.list(), heldRequests: faults.heldRequests }))

  app.post('/sandbox/faults', async (request) => {
    faults.add(readControl(fault, request))
    return { faults: faults.list() }
  })

  app.delete('/sandbox/faults', async () => {
    faults.clear()
    return { faults: [] }
  })

  app.post('/sandbox/tokens/expire', async (request) => {
    const { userId, refresh } = readControl(expireRequest, request)
    if (!(await tokens.expire(userId, refresh))) throw new Refusal(404, 'sandbox::user::not_found', 'No such user.')
    hub.endTokensOf(userId)
    return { expired: true }
  })

  // The interface has no endpoint that opens a case.
  app.post('/sandbox/disputes', (request) => raiseCase(world, readControl(newCase, request)))

  app.post('/sandbox/hub/drop', async (request) => ({ cut: hub.drop(readControl(dropRequest, request).downMs) }))
}

const moveRequest = z.strictObject({
  referenceId: z.string(),
  move: z.enum(['block', 'unblock', 'fail', 'reverse', 'dispute']),
})

type Move = (trx: Trx, row: LedgerRow, at: string) => Promise<LedgerRow>

const moves: Readonly<Record<z.output<typeof moveRequest>['move'], readonly [from: string, take: Move]>> = {
  block: ['PROCESSING', block],
  unblock: ['BLOCKED', unblock],
  fail: ['PROCESSING', (trx, row, at) => fail(trx, row, 'The sandbox was set to fail it.', at)],
  reverse: ['PROCESSING', (trx, row, at) => reverse(trx, row, 'Reversed in its window.', at)],
  dispute: ['PROCESSING', markDisputed],
}

function serveLedgerControls(app: FastifyInstance, world: World): void {
  app.post('/sandbox/transactions', async (request) => {
    const { referenceId, move } = readControl(moveRequest, request)
    return await world.db.transaction().execute(async (trx) => {
      const row = await lockedCurrentRow(trx, referenceId)
      if (row === undefined) throw new Refusal(404, 'sandbox::transaction::not_found', 'No such transaction.')
      const [from, take] = moves[move]
      if (row.state !== from) {
        throw new Refusal(409, 'sandbox::transaction::state', `Only ${from} can do that; this is ${row.state}.`)
      }
      return { transaction: transactionBody(await take(trx, row, world.clock.now())) }
    })
  })
}

/** Converts the parser's exact decimals back to plain numbers. */
function readControl<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(request.body ?? {})))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidField(issue?.path.join('.') || 'body', issue?.message ?? 'is not valid')
}
