import { recordActivity } from '#lib/session/activity.ts'
import { stateOf } from '#lib/session/state-of-session.ts'
import { json, serveOwn } from '../../answer.ts'

/** A real key or pointer event: the idle limit counts anew. Has no body; answers until when the session now lasts. */
export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => json(stateOf(session, await recordActivity(session))))
}
