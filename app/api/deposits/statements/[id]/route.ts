import { discardStatement, restoreStatement } from '#lib/statements/statement-list.ts'
import { json, type Params, refuse, serveSession } from '../../../answer.ts'

export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const restored = await restoreStatement(session, (await params).id)
    return typeof restored === 'string' ? refuse(409, restored) : json({ ok: true, warnings: restored })
  })

/** A discarded statement can be restored for ten minutes. */
export const DELETE = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const fault = await discardStatement(session, (await params).id)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
