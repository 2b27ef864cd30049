import { exportEvidence } from '#lib/commands/evidence.ts'
import { evidenceFiles } from '#lib/evidence/evidence-page.ts'
import { isUuid } from '#lib/values/ids.ts'
import { json, refuse, serveSession } from '../../answer.ts'

/** `?command=ID`: everything that the journal has about a change, with proofs. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const id = new URL(request.url).searchParams.get('command') ?? ''
    const exported = isUuid(id) ? await exportEvidence(session, id) : null
    if (exported === null) return refuse(404, 'Change not found.')
    if (!exported.ok) return json({ ...exported, fields: {} }, 503)
    return json(evidenceFiles(id, exported))
  })
