import { endOwnSession } from '#lib/session/own-sessions.ts'
import { json, refuse, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) =>
    (await endOwnSession(session, (await params).id))
      ? json({ ok: true })
      : refuse(404, 'There is no such session of yours.'),
  )
}
