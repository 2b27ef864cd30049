import { adoptOpenCommands } from '#lib/commands/adopt.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { currentSession } from '#lib/session/current.ts'
import { foreignRequest, refusedBody } from '#lib/session/same-origin.ts'
import type { Session } from '#lib/session/session.ts'

const NO_STORE = { 'cache-control': 'no-store' } as const

export const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: NO_STORE })

const problem = (kind: Problem['kind'], status: number, title: string): Problem => ({
  kind,
  status,
  code: null,
  title,
  traceId: null,
  retryAfterSeconds: null,
  scope: null,
})

/** A refusal of the console itself, in the same form as one of the service. */
export const refuse = (status: number, title: string): Response =>
  json({ ok: false, fields: {}, problem: problem(status === 401 ? 'session-over' : 'service', status, title) }, status)

const bodyWords = { 413: 'This request is too large.', 415: 'This request is not JSON.' } as const

/** Serves a request of this console's own pages by a signed-in person; refuses every other. */
export async function serveOwn(request: Request, serve: (session: Session) => Promise<Response>): Promise<Response> {
  const why = foreignRequest(request)
  if (why !== null) return refuse(403, `This request is refused: ${why}.`)
  const status = refusedBody(request)
  if (status !== null) return refuse(status, bodyWords[status])
  const session = await currentSession()
  if (session === null) return refuse(401, 'Your session has ended.')
  void adoptOpenCommands(session).catch(() => {})
  return await serve(session)
}
