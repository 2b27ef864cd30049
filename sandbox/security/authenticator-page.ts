import { html, page } from '#sandbox/http/html.ts'
import type { World } from '#sandbox/world/world.ts'
import { codeAt, secondsLeft, stepAt } from './totp-code.ts'

const REFRESH_SECONDS = 5

export async function authenticatorPage(world: World): Promise<string> {
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
    <p>The current code of everyone who has two-factor security or is setting it up. A code is taken once.</p>
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
