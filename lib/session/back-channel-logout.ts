import 'server-only'
import { log } from '#lib/config/log.ts'
import { isSpent, spend } from '#lib/store/logout-tokens.ts'
import { store } from '#lib/store/store.ts'
import { endSessionsByIdpSid, endSessionsByIdpSubject } from './end-session.ts'
import { LOGOUT_TOKEN_AGE_MAX_SECONDS, readLogoutToken } from './logout-token.ts'

export type BackChannelLogout = 'done' | 'invalid' | 'unavailable'

/** Long enough that a token which is forgotten is too old to be obeyed, whatever the clocks say. */
const KEPT_MS = 5 * LOGOUT_TOKEN_AGE_MAX_SECONDS * 1000

/**
 * Obeys the identity provider's logout token, once: ends the sessions of its `sid`, else all of its `sub`. Nobody having
 * such a session is no fault. Throws when the store cannot be written; the provider may then send it again.
 */
export async function obeyLogoutToken(compact: string): Promise<BackChannelLogout> {
  const read = await readLogoutToken(compact)
  if (read.kind !== 'valid') {
    log().warn({ event: 'back-channel-logout', result: read.kind }, 'a logout token was not obeyed')
    return read.kind
  }
  const { jti, sid, sub } = read.token
  const db = await store()
  if (await isSpent(db, jti)) return 'invalid'
  // Before it is spent, so that one that was not obeyed to the end can come again.
  if (sid !== null) await endSessionsByIdpSid(sid, 'back-channel')
  else if (sub !== null) await endSessionsByIdpSubject(sub, 'back-channel')
  const now = Date.now()
  const keptUntil = new Date(now + KEPT_MS).toISOString()
  return (await spend(db, { jti, now: new Date(now).toISOString(), keptUntil })) ? 'done' : 'invalid'
}
