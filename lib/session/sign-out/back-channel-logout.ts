import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { log } from '#lib/config/log.ts'
import { isStorable } from '#lib/contract/json.ts'
import { endSessionsByIdpSid, endSessionsByIdpSubject } from '#lib/session/end-session.ts'
import { CLOCK_TOLERANCE_SECONDS, type TokenFault, verifyFromProvider } from '#lib/session/sign-in/provider-token.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

const LOGOUT_TOKEN_AGE_MAX_SECONDS = 120

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
interface LogoutToken {
  readonly jti: string
  /** Seconds. */
  readonly iat: number
  readonly sid: string | null
  readonly sub: string | null
}

type ReadLogoutToken =
  | { readonly kind: 'valid'; readonly token: LogoutToken }
  /** `unavailable`: the provider's keys cannot be read. */
  | { readonly kind: 'invalid' | 'unavailable'; readonly cause: TokenFault | 'type' }

async function readLogoutToken(compact: string): Promise<ReadLogoutToken> {
  const verified = await verifyFromProvider(compact)
  if (!verified.ok) {
    return { kind: verified.why === 'keys-unreachable' ? 'unavailable' : 'invalid', cause: verified.why }
  }
  const claims = logoutClaims.safeParse(verified.payload)
  if (!claims.success) return { kind: 'invalid', cause: 'claims' }
  if (!isLogoutType(verified.protectedHeader.typ)) return { kind: 'invalid', cause: 'type' }
  if (!isRecent(claims.data.iat)) return { kind: 'invalid', cause: 'clock' }
  const { jti, iat, sid = null, sub = null } = claims.data
  return { kind: 'valid', token: { jti, iat, sid, sub } }
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

/** Longer than a token is accepted, so that a deleted `jti` cannot be replayed. */
const KEPT_MS = 5 * LOGOUT_TOKEN_AGE_MAX_SECONDS * 1000

/** Throws when the store cannot be written, so that the provider can retry. */
export async function handleLogoutToken(compact: string): Promise<'done' | 'invalid' | 'unavailable'> {
  const read = await readLogoutToken(compact)
  if (read.kind !== 'valid') {
    log().warn({ event: 'back-channel-logout', result: read.kind, cause: read.cause }, 'a logout token was not obeyed')
    return read.kind
  }
  const { jti, sid, sub } = read.token
  const db = await store()
  if (!(await announce(db, read.token))) return 'invalid'
  // Before the token is marked as used, so that the provider can retry after a failure.
  if (sid !== null) await endSessionsByIdpSid(sid, 'back-channel')
  else if (sub !== null) await endSessionsByIdpSubject(sub, 'back-channel')
  return (await consume(db, jti)) ? 'done' : 'invalid'
}

/** For sign-ins under way; false when used. */
export async function announce(db: Kysely<Tables>, { jti, sid, sub, iat }: LogoutToken): Promise<boolean> {
  const now = new Date()
  const arrivedAt = now.toISOString()
  const keptUntil = new Date(now.getTime() + KEPT_MS).toISOString()
  const announced = await db
    .insertInto('logout_token')
    .values({ jti, sid, sub, issued_at: iat, arrived_at: arrivedAt, is_pending: true, kept_until: keptUntil })
    .onConflict((conflict) =>
      conflict.column('jti').doUpdateSet({ kept_until: keptUntil }).where('logout_token.is_pending', '=', true),
    )
    .executeTakeFirst()
  return announced.numInsertedOrUpdatedRows === 1n
}

/** False when another request already used the token. */
export async function consume(db: Kysely<Tables>, jti: string): Promise<boolean> {
  const token = db.updateTable('logout_token').set({ is_pending: false }).where('jti', '=', jti)
  return (await token.where('is_pending', '=', true).executeTakeFirst()).numUpdatedRows === 1n
}
