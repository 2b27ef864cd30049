import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { historyFileName } from '#lib/users/history-csv.ts'
import { wholeHistory } from '#lib/users/whole-history.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { jsonLines, refuse, serveOwn } from '../../answer.ts'
import { historyFrames } from './frames.ts'

const ROWS_MAX = 10_000
/** The largest page that the service gives. */
const PAGE_SIZE = 100

/**
 * The history of an account (`?account=`) as a CSV file, in the frames of `lib/values/export-frame.ts`. The next page is
 * read when the browser has taken the one before; when the browser leaves, no more is read.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const account = new URL(request.url).searchParams.get('account') ?? ''
    const fault = userIdFault(account)
    if (fault !== null) return refuse(400, fault)
    const parts = wholeHistory((page) => readAccountHistory(session, account, { page, pageSize: PAGE_SIZE }), ROWS_MAX)
    return jsonLines(historyFrames(parts, historyFileName(account, new Date().toISOString().slice(0, 10))))
  })
}
