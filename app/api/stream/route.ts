import { openNewsStream } from '#lib/news/feeds.ts'
import { refuse, serveSession } from '../answer.ts'
import { NOT_ASKED, readNewsAsked } from '../news-asked.ts'

/** `no-transform` prevents compression; `x-accel-buffering` prevents buffering in proxies. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events for all topics of a browser's tabs: the current state first, then changes. Read with `fetch`,
 * because an `EventSource` cannot send the header that proves a same-origin page. Does not extend the session.
 */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const asked = await readNewsAsked(request)
    if (asked === null) return refuse(400, NOT_ASKED)
    return new Response(openNewsStream(session, asked, request.signal), { headers: HEADERS })
  })
}
