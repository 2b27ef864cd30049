import { discardStatement, restoreStatement } from '#lib/statements/statement-list.ts'
import { json, refuse, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const fault = await restoreStatement(session, (await params).id)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
}

/** A discarded statement can be restored for ten minutes. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const fault = await discardStatement(session, (await params).id)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
}
