import { approvalWriter, requestsWanted } from '#lib/activity/approval-file.ts'
import { approvalQuery, isFiltered, readApprovalFilter } from '#lib/activity/approval-filter.ts'
import { requestsInParts } from '#lib/commands/policy/approval-list.ts'
import { readAccess } from '#lib/service/scopes.ts'
import { withAbsoluteDays } from '#lib/values/address-filter.ts'
import { refuse, serveSession } from '../../answer.ts'
import { auditedFilter, exportName, sendExport, whileScopesRead, writtenFrames } from '../frames.ts'

const ROWS_MAX = 50_000
const NOT_KNOWN = 'Your scopes could not be read, so requests of others would be missing. Try again in a moment'

/** The list and filter of the Approvals page, as CSV in the frames of `lib/values/csv.ts`. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const { filter: wanted, faults } = readApprovalFilter(new URL(request.url).searchParams)
    if (faults.length > 0) return refuse(400, faults.join(' '))
    if ((await readAccess(session)).scopes === null) return refuse(503, NOT_KNOWN)
    const filter = withAbsoluteDays(wanted)
    const fileName = exportName(`approvals-${filter.view}`, isFiltered(filter))
    const kept = auditedFilter(approvalQuery(filter))
    const parts = requestsInParts(session, requestsWanted(session, filter), ROWS_MAX)
    const frames = whileScopesRead(session, writtenFrames(parts, approvalWriter, fileName))
    return sendExport(session, frames, ({ rows, end }) => {
      return { by: session, kind: 'export.approvals', facts: { rows, end, filter: kept } }
    })
  })
