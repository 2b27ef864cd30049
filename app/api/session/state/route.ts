import { ownCasesOf } from '#lib/disputes/unread/own-cases-of.ts'
import { currentSession, whyEnded } from '#lib/session/current.ts'
import { foreignRequest } from '#lib/session/same-origin.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import { stateOf } from '#lib/session/state-of-session.ts'
import { json, refuse, unavailable } from '../../answer.ts'

/**
 * Until when the session lasts, and what is unread in the person's own cases: asked when something was refused, and when a
 * page is seen again. Asking is no activity; that there is no session is an answer like any other.
 */
export async function GET(request: Request): Promise<Response> {
  const why = foreignRequest(request)
  if (why !== null) return refuse(403, `This request is refused: ${why}.`)
  try {
    const session = await currentSession()
    if (session === null) return json({ signedIn: false, why: await whyEnded() } satisfies SessionState)
    return json({ ...stateOf(session), ownCases: await ownCasesOf(session) })
  } catch (error) {
    return unavailable(error)
  }
}
