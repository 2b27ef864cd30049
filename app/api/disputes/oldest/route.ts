import { oldestUnassigned } from '#lib/disputes/queue/queue-view.ts'
import { json, refuse, serveSession } from '../../answer.ts'

/** The oldest unassigned open case, read again from the service. */
export function GET(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const oldest = await oldestUnassigned(session)
    const isOver = oldest.kind === 'none' && oldest.view.index.problem?.kind === 'session-over'
    return isOver ? refuse(401, 'Your session has ended.') : json({ ok: true, oldest })
  })
}
