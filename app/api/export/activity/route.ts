import { activityInParts } from '#lib/activity/activity.ts'
import { fileFormats, fileWriters } from '#lib/activity/activity-file.ts'
import { filterQuery, readActivityFilter } from '#lib/activity/activity-filter.ts'
import { readAccess } from '#lib/service/scopes.ts'
import { withAbsoluteDays } from '#lib/values/address-filter.ts'
import { refuse, serveSession } from '../../answer.ts'
import { auditedFilter, exportName, sendExport, whileScopesRead, writtenFrames } from '../frames.ts'

const ROWS_MAX = 50_000
const NOT_KNOWN = 'Your scopes could not be read, so activity of others would be missing. Try again in a moment'

/** `?format=csv|json` and the filter of the Activity page. Latest first, in the frames of `lib/values/csv.ts`. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const query = new URL(request.url).searchParams
    const format = fileFormats.find((known) => known === (query.get('format') ?? 'csv'))
    if (format === undefined) return refuse(400, 'Unknown format. Use csv or json.')
    const { filter: wanted, faults } = readActivityFilter(query)
    const filter = withAbsoluteDays(wanted)
    // Ignoring an invalid filter would export more rows than the operator asked for.
    if (faults.length > 0) return refuse(400, faults.join(' '))
    if ((await readAccess(session)).scopes === null) return refuse(503, NOT_KNOWN)
    const kept = auditedFilter(filterQuery(filter))
    const fileName = exportName('activity', kept !== '', format)
    const parts = activityInParts(session, filter, ROWS_MAX)
    const frames = whileScopesRead(session, writtenFrames(parts, fileWriters[format], fileName))
    return sendExport(session, frames, ({ rows, end }) => {
      return { by: session, kind: 'export.activity', facts: { rows, end, format, filter: kept } }
    })
  })
