import { z } from 'zod'
import { openCaseStream } from '#lib/disputes/live/case-streams.ts'
import { showAsViewer } from '#lib/disputes/workspace/case-workspace.ts'
import { refuse, serveOwn } from '../answer.ts'

const caseId = z.guid()

/** `no-transform` keeps it from being compressed, and the last line proxies from holding it back. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * `?case={id}`: news of one dispute case as server-sent events. Read with `fetch`, since an `EventSource` cannot show that
 * this console's own page asks. Listening is no activity: it does not keep a session alive.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const asked = caseId.safeParse(new URL(request.url).searchParams.get('case'))
    if (!asked.success) return refuse(400, 'This is not the id of a case.')
    const body = openCaseStream(session, asked.data, () => showAsViewer(session, asked.data))
    if (body === null) return refuse(503, 'The console is stopping')
    return new Response(body, { headers: HEADERS })
  })
}
