import { readCaseWorkspace } from '#lib/disputes/workspace/case-workspace.ts'
import { json, serveOwn } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

/**
 * Claim, viewers and internal notes of a case, asked for every few seconds by the page that shows it: no activity. A refusal
 * is an answer like the workspace itself, as at the command endpoint: a page that is shown to a party gets it each time.
 */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => {
    const workspace = await readCaseWorkspace(session, (await params).caseId)
    if (workspace.ok) return json({ ok: true, workspace: workspace.value })
    return json({ ok: false, problem: workspace.problem }, workspace.problem.kind === 'session-over' ? 401 : 200)
  })
}
