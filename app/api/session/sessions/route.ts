import { endSessionsOf } from '#lib/session/end-session.ts'
import { json, serveOwn } from '../../answer.ts'

/** Ends all of one's own sessions but the one that asks. */
export function DELETE(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    await endSessionsOf(session.actor, 'ended-by-owner', session.id)
    return json({ ok: true })
  })
}
