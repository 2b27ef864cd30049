import { recordActivity } from '#lib/session/activity.ts'
import { stateOf } from '#lib/session/state-of-session.ts'
import { json, serveSession } from '../../answer.ts'

/** Sent on key or pointer events: restarts the idle limit and returns the new end of the session. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => json(stateOf(session, await recordActivity(session))))
}
