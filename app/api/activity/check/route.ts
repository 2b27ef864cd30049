import { checkJournal } from '#lib/activity/journal-check.ts'
import { json, serveSession } from '../../answer.ts'

export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => json({ ok: true, check: await checkJournal(session) }))
