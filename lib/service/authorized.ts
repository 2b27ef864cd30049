import 'server-only'
import type { Exchanged } from '#lib/http/exchange.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'

/** A 401 comes before any effect, so the call is repeated once with a renewed token. A second 401 ends the session. */
export async function authorized(
  session: Session,
  call: (token: string) => Promise<Exchanged>,
): Promise<Exchanged | 'over'> {
  const first = await accessToken(session)
  if (!first.ok) return withoutToken(session, first.why)
  const answer = await call(first.token)
  if (!isUnauthorized(answer)) return answer
  const renewed = await accessToken(session, first.token)
  if (!renewed.ok) return withoutToken(session, renewed.why)
  const again = await call(renewed.token)
  if (!isUnauthorized(again)) return again
  await endSession(session.id, 'refused')
  return 'over'
}

const isUnauthorized = (answer: Exchanged): boolean => answer.kind === 'answer' && answer.status === 401

export const SIGN_ON_OUT = 'single sign-on is out'

/** The service itself renews tokens after a password sign-in. */
function withoutToken({ method }: Session, why: 'over' | 'unavailable'): Exchanged | 'over' {
  return why === 'over' ? 'over' : { kind: 'not-sent', why: method === 'sso' ? SIGN_ON_OUT : 'no token' }
}
