import { endSessionOfPerson } from '#lib/session/session-lists.ts'
import { json, type Params, refuse, serveSession } from '../../../answer.ts'

export function DELETE(request: Request, { params }: Params<'id'>): Promise<Response> {
  return serveSession(request, async (session) =>
    (await endSessionOfPerson(session, (await params).id)) ? json({ ok: true }) : refuse(404, 'Session not found.'),
  )
}
