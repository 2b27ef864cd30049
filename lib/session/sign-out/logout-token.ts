import 'server-only'
import { z } from 'zod'
import { isStorable } from '#lib/contract/storable-text.ts'
import { KeysUnavailable } from '#lib/session/sign-in/provider-keys.ts'
import { verifyFromProvider } from '#lib/session/sign-in/provider-token.ts'

/** A logout token older than this is not obeyed. */
export const LOGOUT_TOKEN_AGE_MAX_SECONDS = 120
/** How far the provider's clock may be ahead. */
const CLOCK_AHEAD_MAX_SECONDS = 30

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const text = z.string().min(1).max(512).refine(isStorable)

/** OpenID Connect Back-Channel Logout 1.0, section 2.4; what a JWT has anyway is checked when it is verified. */
const logoutClaims = z
  .looseObject({
    iat: z.number(),
    jti: text,
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    sid: text.optional(),
    sub: text.optional(),
    /** An ID token has one, so that neither passes for the other. */
    nonce: z.never().optional(),
  })
  .refine(({ sid, sub }) => sid !== undefined || sub !== undefined, 'names neither a session nor a subject')

/** Which sessions to end: those of `sid`, else those of `sub`; one of the two is there. */
export interface LogoutToken {
  readonly jti: string
  readonly sid: string | null
  readonly sub: string | null
}

export type ReadLogoutToken =
  | { readonly kind: 'valid'; readonly token: LogoutToken }
  | { readonly kind: 'invalid' }
  /** The provider's keys cannot be had, so nobody can tell. */
  | { readonly kind: 'unavailable' }

/** Checks all of a logout token but whether it was used before. */
export async function readLogoutToken(compact: string): Promise<ReadLogoutToken> {
  try {
    const { payload, protectedHeader } = await verifyFromProvider(compact)
    const claims = logoutClaims.safeParse(payload)
    if (!claims.success || !isLogoutType(protectedHeader.typ) || !isRecent(claims.data.iat)) return { kind: 'invalid' }
    const { jti, sid = null, sub = null } = claims.data
    return { kind: 'valid', token: { jti, sid, sub } }
  } catch (error) {
    return { kind: error instanceof KeysUnavailable ? 'unavailable' : 'invalid' }
  }
}

/** The specification recommends `logout+jwt` and requires no type at all; providers of before it say `JWT`. */
function isLogoutType(type: string | undefined): boolean {
  if (type === undefined) return true
  return ['logout+jwt', 'jwt'].includes(type.toLowerCase().replace(/^application\//, ''))
}

function isRecent(issuedAt: number): boolean {
  const age = Date.now() / 1000 - issuedAt
  return age <= LOGOUT_TOKEN_AGE_MAX_SECONDS && age >= -CLOCK_AHEAD_MAX_SECONDS
}
