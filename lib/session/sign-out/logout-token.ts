import 'server-only'
import { z } from 'zod'
import { isStorable } from '#lib/contract/storable-text.ts'
import { CLOCK_TOLERANCE_SECONDS, type TokenFault, verifyFromProvider } from '#lib/session/sign-in/provider-token.ts'

export const LOGOUT_TOKEN_AGE_MAX_SECONDS = 120

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const text = z.string().min(1).max(512).refine(isStorable)

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const logoutClaims = z
  .looseObject({
    iat: z.number(),
    jti: text,
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    sid: text.optional(),
    sub: text.optional(),
    /** Rejects ID tokens. */
    nonce: z.never().optional(),
  })
  .refine(({ sid, sub }) => sid !== undefined || sub !== undefined, 'names neither a session nor a subject')

/** At least one of `sid` and `sub` is set; `sid` has priority. */
export interface LogoutToken {
  readonly jti: string
  readonly sid: string | null
  readonly sub: string | null
}

export type ReadLogoutToken =
  | { readonly kind: 'valid'; readonly token: LogoutToken }
  /** `unavailable`: the provider's keys cannot be read. */
  | { readonly kind: 'invalid' | 'unavailable'; readonly cause: TokenFault | 'type' }

export async function readLogoutToken(compact: string): Promise<ReadLogoutToken> {
  const verified = await verifyFromProvider(compact)
  if (!verified.ok) {
    return { kind: verified.why === 'keys-unreachable' ? 'unavailable' : 'invalid', cause: verified.why }
  }
  const claims = logoutClaims.safeParse(verified.payload)
  if (!claims.success) return { kind: 'invalid', cause: 'claims' }
  if (!isLogoutType(verified.protectedHeader.typ)) return { kind: 'invalid', cause: 'type' }
  if (!isRecent(claims.data.iat)) return { kind: 'invalid', cause: 'clock' }
  const { jti, sid = null, sub = null } = claims.data
  return { kind: 'valid', token: { jti, sid, sub } }
}

/** The specification requires no type; older providers send `JWT`. */
function isLogoutType(type: string | undefined): boolean {
  if (type === undefined) return true
  return ['logout+jwt', 'jwt'].includes(type.toLowerCase().replace(/^application\//, ''))
}

function isRecent(issuedAt: number): boolean {
  const age = Date.now() / 1000 - issuedAt
  return age <= LOGOUT_TOKEN_AGE_MAX_SECONDS && age >= -CLOCK_TOLERANCE_SECONDS
}
