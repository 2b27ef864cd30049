import { openEventStream } from '#lib/stream/feeds.ts'
import { serveBody, UNBUFFERED } from '../answer.ts'
import { MALFORMED, topicsRequest } from './topics-request.ts'

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', ...UNBUFFERED }

/** Server-sent events, read with `fetch`: an `EventSource` cannot send the header of a same-origin page. */
export const POST = (request: Request): Promise<Response> =>
  serveBody(request, topicsRequest, MALFORMED, async (session, body) => {
    return new Response(openEventStream(session, body, request.signal), { headers: HEADERS })
  })
