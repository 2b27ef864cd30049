import { openNewsStream } from '#lib/news/feeds.ts'
import { refuse, serveOwn } from '../answer.ts'
import { NOT_ASKED, readNewsAsked } from '../news-asked.ts'

/** `no-transform` keeps it from being compressed, and the last line proxies from holding it back. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * News of all that a browser's tabs follow, as server-sent events: each topic as it is now, then as it changes. Read with
 * `fetch`, since an `EventSource` cannot show that this console's own page asks. Listening is no activity: it does not keep
 * a session alive.
 */
export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const asked = await readNewsAsked(request)
    if (asked === null) return refuse(400, NOT_ASKED)
    return new Response(openNewsStream(session, asked, request.signal), { headers: HEADERS })
  })
}
