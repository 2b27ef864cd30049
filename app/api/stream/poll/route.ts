import { pollEvents } from '#lib/stream/feeds.ts'
import { json, refuse, serveSession } from '../../answer.ts'
import { readTopicsRequest, refuseMalformed } from '../topics-request.ts'

/** For browsers that no stream reaches: they poll every five seconds. Does not extend the session. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readTopicsRequest(request)
    if (body === null) return refuseMalformed()
    const events = await pollEvents(session, body.id, body)
    return events === null ? refuse(503, 'The console is stopping') : json({ events })
  })
}
