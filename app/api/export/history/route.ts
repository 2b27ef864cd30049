import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import type { ExportFrame } from '#lib/users/export-frame.ts'
import { historyFileName } from '#lib/users/history-csv.ts'
import { wholeHistory } from '#lib/users/whole-history.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { refuse, serveOwn } from '../../answer.ts'
import { historyFrames } from './frames.ts'

const ROWS_MAX = 10_000
/** The largest page that the service gives. */
const PAGE_SIZE = 100

/**
 * The history of an account (`?account=`) as a CSV file, in the frames of `lib/users/export-frame.ts`. The next page is
 * read when the browser has taken the one before; when the browser leaves, no more is read.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const account = new URL(request.url).searchParams.get('account') ?? ''
    const fault = userIdFault(account)
    if (fault !== null) return refuse(400, fault)
    const parts = wholeHistory((page) => readAccountHistory(session, account, { page, pageSize: PAGE_SIZE }), ROWS_MAX)
    const frames = historyFrames(parts, historyFileName(account, new Date().toISOString().slice(0, 10)))
    return new Response(streamOf(frames), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' },
    })
  })
}

/** One frame a line. Nothing is kept ready ahead of what is read. */
function streamOf(frames: AsyncGenerator<ExportFrame>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await frames.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
      },
      async cancel() {
        await frames.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
