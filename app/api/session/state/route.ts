import { assignedCasesOf } from '#lib/disputes/unread/read-assigned-cases.ts'
import { currentSession, whyEnded } from '#lib/session/current.ts'
import { stateOf } from '#lib/session/limits.ts'
import { foreignRequest } from '#lib/session/request-guards.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import { json, refuse, unavailable } from '../../answer.ts'

/** After a refusal, and when a page becomes visible. Does not extend the session; a missing one is no error. */
export async function GET(request: Request): Promise<Response> {
  const why = foreignRequest(request)
  if (why !== null) return refuse(403, `Request refused: ${why}.`)
  try {
    const session = await currentSession()
    if (session === null) return json({ signedIn: false, why: await whyEnded() } satisfies SessionState)
    return json({ ...stateOf(session), ownCases: await assignedCasesOf(session) })
  } catch (error) {
    return unavailable(error)
  }
}
