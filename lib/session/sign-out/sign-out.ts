import 'server-only'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#lib/config/config.ts'
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
  if (config().sso.logoutHint && tokens.idToken !== undefined) {
    address.searchParams.set('id_token_hint', tokens.idToken)
  }
  return { to: address.href, state }
}

/** Gives the refresh token back. Answers where to end the provider's own session; null when it offers or answers nothing. */
async function revokeAtProvider(session: Session): Promise<string | null> {
  if ((await revokeEnded(session.id, Session.dataKeyOf(session))) === 'unreachable') return null
  const { end_session_endpoint: address } = await identityProvider()
  // The browser goes there by itself: it must be a place, and no script.
  return /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '') ? (address ?? null) : null
}
