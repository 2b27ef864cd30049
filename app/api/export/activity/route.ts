import { readChangeFilter } from '#lib/activity/change-filter.ts'
import { changesInParts } from '#lib/activity/changes.ts'
import { changesFileName, fileFormats } from '#lib/activity/changes-file.ts'
import { jsonLines, refuse, serveOwn } from '../../answer.ts'
import { activityFrames } from './frames.ts'

const ROWS_MAX = 50_000

/**
 * The changes that a filter shows (`?format=csv` or `json`, and the filter as Activity has it) as a file, in the frames of
 * `lib/values/export-frame.ts`, the latest first.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const query = new URL(request.url).searchParams
    const format = fileFormats.find((known) => known === (query.get('format') ?? 'csv'))
    if (format === undefined) return refuse(400, 'There is no such format. It is csv or json.')
    const { filter, faults } = readChangeFilter(query)
    // A file of more than was asked for would be taken for what was asked for.
    if (faults.length > 0) return refuse(400, faults.join(' '))
    const fileName = changesFileName(new Date().toISOString().slice(0, 10), format)
    return jsonLines(activityFrames(changesInParts(session, filter, ROWS_MAX), format, fileName))
  })
}
