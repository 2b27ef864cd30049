import { checkJournal } from '#lib/activity/journal-check.ts'
import { json, serveOwn } from '../../answer.ts'

export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => json({ ok: true, check: await checkJournal(session) }))
}
