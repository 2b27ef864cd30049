import { similarDecisions } from '#lib/disputes/similar-decisions.ts'
import { json, type Params, refuseAs, serveSession } from '../../../answer.ts'

export const GET = (request: Request, { params }: Params<'caseId'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const similar = await similarDecisions(session, (await params).caseId)
    return similar.ok ? json(similar) : refuseAs(similar)
  })
