import { readCaseDesk } from '#lib/commands/case-desk.ts'
import { json, serveOwn } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

/**
 * Claim, viewers and internal notes of a case, asked for every few seconds by the page that shows it: no activity. A refusal
 * is an answer like the desk itself, as at the door for changes: a page that is shown to a party gets it each time.
 */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => {
    const desk = await readCaseDesk(session, (await params).caseId)
    if (desk.ok) return json({ ok: true, desk: desk.value })
    return json({ ok: false, problem: desk.problem }, desk.problem.kind === 'session-over' ? 401 : 200)
  })
}
