import 'server-only'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { endSession } from '#lib/session/end-session.ts'
import { Session } from '#lib/session/session.ts'
import { identityProvider } from '#lib/session/sign-in/identity-provider.ts'
import { revokeEnded } from '#lib/session/vault/revoke-ended.ts'
import { findSession } from '#lib/session/vault/session-table.ts'
import { tokensOf } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'

/** Must be registered at the provider. */
const SIGNED_OUT = '/signed-out'
/** The provider's session continues: it offers no sign-out or is unreachable. */
const SIGNED_OUT_HERE_ONLY = '/signed-out?only=here'
/** Common servers and proxies limit the request line and headers to 8 kB. */
const ADDRESS_MAX_CHARS = 6_000
const PATIENCE_MS = 3_000

/** Ends the session before it contacts the provider (OpenID Connect RP-Initiated Logout 1.0). */
export async function signOut(session: Session) {
  const row = await findSession(await store(), session.id)
  const tokens = row === undefined ? null : tokensOf(session, row)
  await endSession(session.id, 'signed-out')
  if (session.method === 'password' || tokens === null) return { to: SIGNED_OUT, state: null }
  // A browser that is sent to an unreachable provider shows its own error page.
  const logoutUrl = await Promise.race([revokeAtProvider(session), wait(PATIENCE_MS, null, { ref: false })])
  if (logoutUrl === null) return { to: SIGNED_OUT_HERE_ONLY, state: null }
  const state = randomBytes(16).toString('base64url')
  const address = new URL(logoutUrl)
  address.searchParams.set('client_id', config().sso.clientId)
  address.searchParams.set('post_logout_redirect_uri', config().baseUrl + SIGNED_OUT)
  address.searchParams.set('state', state)
  return { to: withHint(address, tokens.idToken), state }
}

function withHint(address: URL, idToken: string | undefined): string {
  if (!config().sso.logoutHint || idToken === undefined) return address.href
  const hinted = new URL(address)
  hinted.searchParams.set('id_token_hint', idToken)
  if (hinted.href.length <= ADDRESS_MAX_CHARS) return hinted.href
  log().warn({ event: 'sign-out' }, 'the ID token is too long for the address of a sign-out, and is left out')
  return address.href
}

async function revokeAtProvider(session: Session): Promise<string | null> {
  if ((await revokeEnded(session.id, Session.dataKeyOf(session))) === 'unreachable') return null
  const address = (await identityProvider().catch(() => null))?.end_session_endpoint ?? ''
  // Rejects `javascript:` addresses, since the browser navigates there.
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : null
}
