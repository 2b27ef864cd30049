import { endSessionOfPerson } from '#lib/session/session-lists.ts'
import { json, refuse, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) =>
    (await endSessionOfPerson(session, (await params).id)) ? json({ ok: true }) : refuse(404, 'Session not found.'),
  )
}
