import 'server-only'
import type { Exchanged } from '#lib/http/exchange.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'

/**
 * Makes a call with the session's token. An answer of 401 was refused before any effect, so the call is made once more
 * with a renewed token; a second 401 ends the session. `over` when it has ended, or when it had before.
 */
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

/** Why nothing was sent: the token has ended, and the identity provider cannot be asked for another. */
export const SIGN_ON_OUT = 'single sign-on is out'

/** With a password it is the service itself that renews tokens. */
function withoutToken({ method }: Session, why: 'over' | 'unavailable'): Exchanged | 'over' {
  return why === 'over' ? 'over' : { kind: 'not-sent', why: method === 'sso' ? SIGN_ON_OUT : 'no token' }
}
