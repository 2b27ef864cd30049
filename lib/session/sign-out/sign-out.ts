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

/** Where a sign-out at the identity provider comes back to; it has to know the address. */
const SIGNED_OUT = '/signed-out'
/** Single sign-on still knows this browser: it offers no sign-out, or cannot be reached. */
const SIGNED_OUT_HERE_ONLY = '/signed-out?only=here'
/** Common servers and proxies take 8 kB for the request line and all headers. */
const ADDRESS_MAX_CHARS = 6_000
/** A person who signs out does not wait longer for an identity provider. */
const PATIENCE_MS = 3_000

export interface SignedOut {
  /** Where the browser goes next. */
  readonly to: string
  /** What it then comes back with from the identity provider; null when it is not sent there. */
  readonly state: string | null
}

/**
 * Signs a session out: its tokens are gone from the vault before anything else. With single sign-on the refresh token is
 * revoked as well, and the browser goes to where the provider ends its own session (OpenID Connect RP-Initiated
 * Logout 1.0).
 */
export async function signOut(session: Session): Promise<SignedOut> {
  const row = await findSession(await store(), session.id)
  const tokens = row === undefined ? null : tokensOf(session, row)
  await endSession(session.id, 'signed-out')
  if (session.method === 'password' || tokens === null) return { to: SIGNED_OUT, state: null }
  // Whoever was to be sent to a provider that does not answer would be left with the browser's own error page.
  const logoutUrl = await Promise.race([revokeAtProvider(session), wait(PATIENCE_MS, null, { ref: false })])
  if (logoutUrl === null) return { to: SIGNED_OUT_HERE_ONLY, state: null }
  const state = randomBytes(16).toString('base64url')
  const address = new URL(logoutUrl)
  address.searchParams.set('client_id', config().sso.clientId)
  address.searchParams.set('post_logout_redirect_uri', config().baseUrl + SIGNED_OUT)
  address.searchParams.set('state', state)
  return { to: withHint(address, tokens.idToken), state }
}

/** Adds the ID token where OIDC_LOGOUT_HINT asks for it and the address stays short enough for servers, which refuse longer ones. */
function withHint(address: URL, idToken: string | undefined): string {
  if (!config().sso.logoutHint || idToken === undefined) return address.href
  const hinted = new URL(address)
  hinted.searchParams.set('id_token_hint', idToken)
  if (hinted.href.length <= ADDRESS_MAX_CHARS) return hinted.href
  log().warn({ event: 'sign-out' }, 'the ID token is too long for the address of a sign-out, and is left out')
  return address.href
}

/** Gives the refresh token back. Answers where to end the provider's own session; null when it offers or answers nothing. */
async function revokeAtProvider(session: Session): Promise<string | null> {
  if ((await revokeEnded(session.id, Session.dataKeyOf(session))) === 'unreachable') return null
  const { end_session_endpoint: address } = await identityProvider()
  // The browser goes there by itself: it must be a place, and no script.
  return /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '') ? (address ?? null) : null
}
