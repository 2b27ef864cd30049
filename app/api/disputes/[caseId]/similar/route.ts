import { similarDecisions } from '#lib/disputes/similar-decisions.ts'
import { json, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const similar = await similarDecisions(session, (await params).caseId)
    return json(similar, similar.ok ? 200 : Math.max(400, similar.problem.status ?? 502))
  })
}
