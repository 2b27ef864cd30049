import { recordAudit } from '#lib/session/audit-trail.ts'
import { resultsFile } from '#lib/statements/results-csv.ts'
import { STATEMENT_NOT_FOUND } from '#lib/statements/statement-list.ts'
import { lineStatuses } from '#lib/statements/statement-view.ts'
import { store } from '#lib/store/store.ts'
import { attachment, type Params, refuse, serveSession } from '../../../../answer.ts'

export function GET(request: Request, { params }: Params<'id'>): Promise<Response> {
  return serveSession(request, async (session) => {
    const { id } = await params
    const wanted = new URL(request.url).searchParams.get('status')
    const status = lineStatuses.find((known) => known === wanted) ?? null
    if (status !== wanted) return refuse(400, 'Status not found.')
    const file = await resultsFile(id, status)
    if (file === null) return refuse(404, STATEMENT_NOT_FOUND)
    const facts = { rows: file.rows, file: file.name }
    await recordAudit(await store(), { by: session, kind: 'export.statement', about: id, facts })
    return attachment(file.text, 'text/csv; charset=utf-8', file.name)
  })
}
