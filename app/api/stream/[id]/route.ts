import { setFeedTopics } from '#lib/stream/feeds.ts'
import { json, type Params, refuse, serveSession } from '../../answer.ts'
import { readTopicsRequest, refuseMalformed } from '../topics-request.ts'

/**
 * Changes the topics of an open stream. Answers 404 if another process has the stream; the browser then opens a new
 * one.
 */
export function POST(request: Request, { params }: Params<'id'>): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readTopicsRequest(request)
    if (body === null) return refuseMalformed()
    const isOpen = setFeedTopics(session, (await params).id, body)
    return isOpen ? json({ ok: true }) : refuse(404, 'Stream not found.')
  })
}
