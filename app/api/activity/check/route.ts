import { checkJournal } from '#lib/activity/journal-check.ts'
import { json, serveSession } from '../../answer.ts'

export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => json({ ok: true, check: await checkJournal(session) }))
}
