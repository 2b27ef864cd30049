import { pollNews } from '#lib/news/feeds.ts'
import { json, refuse, serveSession } from '../answer.ts'
import { NOT_ASKED, readNewsAsked, STOPPING } from '../news-asked.ts'

/** For browsers that no stream reaches: they poll every five seconds. Does not extend the session. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const asked = await readNewsAsked(request)
    if (asked === null) return refuse(400, NOT_ASKED)
    const events = await pollNews(session, asked.id, asked)
    return events === null ? refuse(503, STOPPING) : json({ events })
  })
}
