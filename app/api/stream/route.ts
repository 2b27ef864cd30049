import { openEventStream } from '#lib/stream/feeds.ts'
import { serveSession } from '../answer.ts'
import { readTopicsRequest, refuseMalformed } from './topics-request.ts'

/** `no-transform` prevents compression; `x-accel-buffering` prevents buffering in proxies. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events for all topics of a browser's tabs: the current state first, then changes. Read with `fetch`: an
 * `EventSource` cannot send the header of a same-origin page. Does not extend the session.
 */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readTopicsRequest(request)
    if (body === null) return refuseMalformed()
    return new Response(openEventStream(session, body, request.signal), { headers: HEADERS })
  })
}
