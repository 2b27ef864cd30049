import type { FastifyInstance } from 'fastify'
import { uuid } from '#lib/contract/wire.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { World } from '#sandbox/world/world.ts'
import { authenticatorPage } from './authenticator-page.ts'
import { codeAt, stepsInTolerance } from './totp-code.ts'
import { isLocked, secretOf } from './totp-row.ts'

export function serveSecurityControls(app: FastifyInstance, world: World): void {
  app.get<{ Params: { userId: string } }>('/sandbox/totp/:userId', async (request) => {
    const code = await nextCode(world, request.params.userId)
    if (code === null) {
      throw new Refusal(404, 'sandbox::totp::not_found', 'No code of this user would be taken now.')
    }
    return { code }
  })

  app.get('/sandbox/authenticator', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(await authenticatorPage(world)),
  )
}

const LASTS_MILLISECONDS = 10_000

/** Null when no code would be accepted for `LASTS_MILLISECONDS`. */
async function nextCode(world: World, userId: string): Promise<string | null> {
  if (!uuid.safeParse(userId).success) return null
  const row = await world.db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const now = world.wallMilliseconds()
  if (row === undefined || isLocked(row, now)) return null
  const secret = secretOf(row, 'enrolled') ?? secretOf(row, 'pending')
  const last = stepsInTolerance(now + LASTS_MILLISECONDS)
  const step = stepsInTolerance(now).find((candidate) => candidate > row.used_step && last.includes(candidate))
  return secret === null || step === undefined ? null : codeAt(secret, step)
}
