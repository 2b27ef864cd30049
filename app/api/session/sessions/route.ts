import { endSessionsOf } from '#lib/session/end-session.ts'
import { json, serveSession } from '../../answer.ts'

/** Ends all of the operator's own sessions except the current one. */
export const DELETE = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    await endSessionsOf(session.actor, 'ended-by-owner', session.id)
    return json({ ok: true })
  })
