import type { FastifyInstance } from 'fastify'
import { uuid } from '#lib/contract/endpoint.ts'
import { html, page } from '#sandbox/http/html.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { World } from '#sandbox/world/world.ts'
import { codeAt, secondsLeft, stepAt, stepsInTolerance } from './totp-code.ts'
import { isLocked, secretOf } from './totp-row.ts'

export function serveSecurityControls(app: FastifyInstance, world: World): void {
  app.get<{ Params: { userId: string } }>('/sandbox/totp/:userId', async (request) => {
    const code = await nextCode(world, request.params.userId)
    if (code === null) throw new Refusal(404, 'sandbox::totp::not_found', 'No code of this user would be taken now.')
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

const REFRESH_SECONDS = 5

async function authenticatorPage(world: World): Promise<string> {
  const holders = await world.db
    .selectFrom('totp')
    .innerJoin('app_user', 'app_user.id', 'totp.user_id')
    .select(['app_user.email', 'totp.secret', 'totp.pending_secret'])
    .orderBy('app_user.email')
    .execute()
  const now = world.wallMilliseconds()
  const codes = holders.flatMap(({ email, secret, pending_secret }) => {
    const shown = secret ?? pending_secret
    return shown === null ? [] : [{ email, code: codeAt(shown, stepAt(now)), enrolled: secret !== null }]
  })
  return page(
    'Authenticator',
    html`
    <h1>Authenticator</h1>
    <p>Current codes of everyone with two-factor security. Each code works once.</p>
    <div class="table"><table>
      <tr><th>E-mail</th><th>Code</th><th>Seconds left</th><th>Two-factor security</th></tr>
      ${codes.map(
        ({ email, code, enrolled }) =>
          html`<tr><td>${email}</td><td class="id">${code}</td><td>${secondsLeft(now)}</td><td>${enrolled ? 'on' : 'waits for its first code'}</td></tr>`,
      )}
    </table></div>`,
    html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
  )
}
