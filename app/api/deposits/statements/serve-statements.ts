import { log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { refuse, serveForm, serveOwn } from '../../answer.ts'

/** Serves a request about bank statements. When the store fails, nothing of it was done. */
export function serveStatements(
  request: Request,
  serve: (session: Session) => Promise<Response>,
  body: 'json' | 'form' = 'json',
): Promise<Response> {
  const guard = body === 'form' ? serveForm : serveOwn
  return guard(request, async (session) => {
    try {
      return await serve(session)
    } catch (error) {
      log().error({ event: 'statement', error: error instanceof Error ? error.name : 'error' })
      return refuse(503, 'The console cannot reach its own store right now')
    }
  })
}
