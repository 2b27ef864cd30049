import { askFeed } from '#lib/news/feeds.ts'
import { json, refuse, serveSession } from '../../answer.ts'
import { NOT_ASKED, readNewsAsked } from '../../news-asked.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

/**
 * Changes the topics of an open stream. Answers 404 if another process has the stream; the browser then opens a new
 * one.
 */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const asked = await readNewsAsked(request)
    if (asked === null) return refuse(400, NOT_ASKED)
    return askFeed(session, (await params).id, asked)
      ? json({ ok: true })
      : refuse(404, 'There is no such stream here.')
  })
}
