import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { readHistoryFilter, withHistoryFilter } from '#lib/users/history-filter.ts'
import { wholeHistory } from '#lib/users/whole-history.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { refuse, serveSession } from '../../answer.ts'
import { auditedFilter, exportName, historyFrames, sendExport } from '../frames.ts'

const ROWS_MAX = 10_000

/** `?account=` and the filter of the history page. Sends CSV in the frames of `lib/values/csv.ts`. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const query = new URL(request.url).searchParams
    const account = query.get('account') ?? ''
    const { filter, faults } = readHistoryFilter(query)
    const fault = userIdFault(account) ?? faults[0] ?? null
    if (fault !== null) return refuse(400, fault)
    const parts = wholeHistory((query) => readAccountHistory(session, account, query), ROWS_MAX)
    const fileName = exportName(`history-${account.split('-').at(-1)?.toLowerCase()}`, filter !== null)
    const kept = auditedFilter(withHistoryFilter(new URLSearchParams(), filter))
    return sendExport(session, historyFrames(parts, fileName, filter), (tally) => {
      return { by: session, kind: 'export.history', about: account, facts: { ...tally, filter: kept } }
    })
  })
