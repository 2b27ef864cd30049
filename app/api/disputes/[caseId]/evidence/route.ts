import { z } from 'zod'
import { exportCaseEvidence } from '#lib/disputes/case-evidence.ts'
import { evidenceFiles } from '#lib/evidence/evidence-page.ts'
import { json, type Params, refuse, refuseAs, serveSession } from '../../../answer.ts'

/** A case as the service answers now, and what the journal has about it, with proofs. */
export const GET = (request: Request, { params }: Params<'caseId'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const id = z.guid().safeParse((await params).caseId)
    if (!id.success) return refuse(404, 'Case not found.')
    const exported = await exportCaseEvidence(session, id.data)
    return exported.ok ? json(evidenceFiles(id.data, exported)) : refuseAs(exported)
  })
