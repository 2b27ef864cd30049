import { pollEvents } from '#lib/stream/feeds.ts'
import { json, refuse, serveBody } from '../../answer.ts'
import { MALFORMED, topicsRequest } from '../topics-request.ts'

/** For browsers that no stream reaches: they poll every five seconds. Does not extend the session. */
export const POST = (request: Request): Promise<Response> =>
  serveBody(request, topicsRequest, MALFORMED, async (session, body) => {
    const events = await pollEvents(session, body.id, body)
    return events === null ? refuse(503, 'The console is stopping') : json({ events })
  })
