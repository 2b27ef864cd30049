import { discardStatement } from '#lib/intake/shelf.ts'
import { readWork } from '#lib/intake/view.ts'
import { json, refuse } from '../../../answer.ts'
import { serveIntake } from '../serve-intake.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

/** What goes on with a statement. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveIntake(request, async () => {
    const work = await readWork((await params).id)
    return work === null ? refuse(404, 'There is no such statement.') : json({ ok: true, work })
  })
}

/** Takes a statement back that was misread. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveIntake(request, async (session) => {
    const fault = await discardStatement(session, (await params).id)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
}
