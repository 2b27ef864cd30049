import { recordActivity, stateOf } from '#lib/session/limits.ts'
import { json, serveSession } from '../../answer.ts'

/** Sent on key or pointer events: restarts the idle limit and returns the new end of the session. */
export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => json(stateOf(session, await recordActivity(session))))
