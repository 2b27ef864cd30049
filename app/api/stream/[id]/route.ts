import { setFeedTopics } from '#lib/stream/feeds.ts'
import { json, type Params, refuse, serveBody } from '../../answer.ts'
import { MALFORMED, topicsRequest } from '../topics-request.ts'

/** Changes the topics of a stream. 404 if another process has the stream; the browser then opens a new one. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveBody(request, topicsRequest, MALFORMED, async (session, body) => {
    const isOpen = setFeedTopics(session, (await params).id, body)
    return isOpen ? json({ ok: true }) : refuse(404, 'Stream not found.')
  })
