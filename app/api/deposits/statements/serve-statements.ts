import type { Session } from '#lib/session/session.ts'
import { serveForm, serveOwn } from '../../answer.ts'

export function serveStatements(
  request: Request,
  serve: (session: Session) => Promise<Response>,
  body: 'json' | 'form' = 'json',
): Promise<Response> {
  return (body === 'form' ? serveForm : serveOwn)(request, serve)
}
