import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Faults, fault } from '#sandbox/http/faults.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import type { RequestLog } from '#sandbox/http/request-log.ts'
import type { Hub } from '#sandbox/hub/hub.ts'
import { balancesOf } from '#sandbox/ledger/balances.ts'
import { workDue } from '#sandbox/ledger/work-due.ts'
import { resetWorld } from '#sandbox/world/reset.ts'
import { writeSetting } from '#sandbox/world/setting.ts'
import type { World } from '#sandbox/world/world.ts'
import { frontPage } from './front-page.ts'
import { serveLedgerControls } from './ledger-controls.ts'
import { readControl } from './read-control.ts'

const ADVANCE_MAX_SECONDS = 10 * 366 * 86_400
const advance = z.strictObject({ advanceSeconds: z.int().min(0).max(ADVANCE_MAX_SECONDS) })

/** Endpoints outside the interface, for people and tests; `control-list.ts` lists them. */
export function serveControls(
  app: FastifyInstance,
  world: World,
  { faults, log, hub }: { readonly faults: Faults; readonly log: RequestLog; readonly hub: Hub },
): void {
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
}
