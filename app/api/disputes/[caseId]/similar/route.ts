import { similarDecisions } from '#lib/disputes/similar-decisions.ts'
import { json, refuseAs, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const similar = await similarDecisions(session, (await params).caseId)
    return similar.ok ? json(similar) : refuseAs(similar)
  })
}
