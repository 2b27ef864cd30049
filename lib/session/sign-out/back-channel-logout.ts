import 'server-only'
import type { Kysely } from 'kysely'
import { log } from '#lib/config/log.ts'
import { endSessionsByIdpSid, endSessionsByIdpSubject } from '#lib/session/end-session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { LOGOUT_TOKEN_AGE_MAX_SECONDS, readLogoutToken } from './logout-token.ts'

export type BackChannelLogout = 'done' | 'invalid' | 'unavailable'

/** Longer than a token is accepted, so that a deleted `jti` cannot be replayed. */
const KEPT_MS = 5 * LOGOUT_TOKEN_AGE_MAX_SECONDS * 1000

/**
 * Throws when the store cannot be written, so that the provider can retry. A token without a matching session is no
 * error.
 */
export async function obeyLogoutToken(compact: string): Promise<BackChannelLogout> {
  const read = await readLogoutToken(compact)
  if (read.kind !== 'valid') {
    log().warn({ event: 'back-channel-logout', result: read.kind, cause: read.cause }, 'a logout token was not obeyed')
    return read.kind
  }
  const { jti, sid, sub } = read.token
  const db = await store()
  if (await isConsumed(db, jti)) return 'invalid'
  // Before the token is marked as used, so that the provider can retry after a failure.
  if (sid !== null) await endSessionsByIdpSid(sid, 'back-channel')
  else if (sub !== null) await endSessionsByIdpSubject(sub, 'back-channel')
  const now = Date.now()
  const keptUntil = new Date(now + KEPT_MS).toISOString()
  return (await consume(db, { jti, now: new Date(now).toISOString(), keptUntil })) ? 'done' : 'invalid'
}

async function isConsumed(db: Kysely<Tables>, jti: string): Promise<boolean> {
  const found = await db.selectFrom('logout_token').select('jti').where('jti', '=', jti).executeTakeFirst()
  return found !== undefined
}

/** False when another request already used the token. Times are ISO 8601. */
export async function consume(
  db: Kysely<Tables>,
  token: { readonly jti: string; readonly now: string; readonly keptUntil: string },
): Promise<boolean> {
  await db.deleteFrom('logout_token').where('kept_until', '<=', token.now).execute()
  const spent = await db
    .insertInto('logout_token')
    .values({ jti: token.jti, kept_until: token.keptUntil })
    .onConflict((conflict) => conflict.column('jti').doNothing())
    .executeTakeFirst()
  return spent.numInsertedOrUpdatedRows === 1n
}
