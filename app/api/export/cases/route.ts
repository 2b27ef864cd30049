import { readTableState } from '#components/table/table-state.ts'
import { type CaseExport, caseWriter, exportCases } from '#lib/disputes/queue/case-export.ts'
import { counted } from '#lib/values/words.ts'
import {
  addressableOf,
  listIn,
  queueQuery,
  readQueueAddress,
  validTableState,
} from '../../../(console)/disputes/queue-address.ts'
import { refuse, serveSession } from '../../answer.ts'
import { auditedFilter, exportName, sendExport, writtenFrames } from '../frames.ts'

type Refused = Exclude<CaseExport, { ok: true }>

function refusalOf(refused: Refused): readonly [status: number, words: string] {
  switch (refused.why) {
    case 'not-admin':
      return [403, 'Admin view is not confirmed, so the list would be incomplete.']
    case 'incomplete':
      return [503, `Cases would be missing. ${refused.words}`]
    case 'amounts-hidden':
      return [403, 'Amounts are hidden from you. Remove the amount filter, then export.']
    case 'amounts-unread':
      return [
        503,
        `${counted(refused.cases, 'case')} would be missing: amount not read yet, or not visible to you. ${WAIT} or remove the amount filter.`,
      ]
    case 'messages-unread':
      return [
        503,
        `${counted(refused.cases, 'case')} whose messages were not read here may be missing. ${WAIT} or remove the turn and unread filters.`,
      ]
  }
}

const WAIT = 'Wait until the queue has read them,'

/** The filter of the queue, oldest case first, one row per case, as CSV in the frames of `lib/values/csv.ts`. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const query = new URL(request.url).searchParams
    const { faults } = validTableState(query, readTableState(query, addressableOf(listIn(query))))
    if (faults.length > 0) return refuse(400, faults.join(' '))
    const { filter, state } = readQueueAddress(query)
    const found = await exportCases(session, filter)
    if (!found.ok) return refuse(...refusalOf(found))
    const fileName = exportName(`cases-${filter.list.toLowerCase()}`, Object.keys(state.filters).length > 0)
    const kept = auditedFilter(new URLSearchParams(queueQuery(query)))
    return sendExport(session, writtenFrames(found.parts, caseWriter, fileName), ({ rows, end }) => {
      return { by: session, kind: 'export.cases', facts: { rows, end, filter: kept } }
    })
  })
