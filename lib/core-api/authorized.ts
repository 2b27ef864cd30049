import 'server-only'
import type { Exchanged } from '#lib/http/exchange.ts'
import { accessToken } from '#lib/session/access-token.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'

/**
 * Makes a call with the session's token. An answer of 401 was refused before any effect, so the call is made once more
 * with a renewed token; a second 401 ends the session. `over` when it has ended, or when it had before.
 */
export async function authorized(
  session: Session,
  call: (token: string) => Promise<Exchanged>,
): Promise<Exchanged | 'over'> {
  const first = await accessToken(session)
  if (!first.ok) return withoutToken(first.why)
  const answer = await call(first.token)
  if (!isUnauthorized(answer)) return answer
  const renewed = await accessToken(session, first.token)
  if (!renewed.ok) return withoutToken(renewed.why)
  const again = await call(renewed.token)
  if (!isUnauthorized(again)) return again
  await endSession(session.id, 'refused')
  return 'over'
}

const isUnauthorized = (answer: Exchanged): boolean => answer.kind === 'answer' && answer.status === 401

const withoutToken = (why: 'over' | 'unavailable'): Exchanged | 'over' =>
  why === 'over' ? 'over' : { kind: 'not-sent', why: 'no token' }
