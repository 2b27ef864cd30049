import { readCaseDesk } from '#lib/commands/case-desk.ts'
import { json, serveOwn } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

/** Claim, viewers and internal notes of a case, asked for every few seconds by the page that shows it: no activity. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => {
    const desk = await readCaseDesk(session, (await params).caseId)
    if (desk.ok) return json({ ok: true, desk: desk.value })
    const { problem } = desk
    return json({ ok: false, problem }, problem.kind === 'session-over' ? 401 : (problem.status ?? 502))
  })
}
