import { preferenceChange, writePreferences } from '#lib/session/preferences.ts'
import { readJson } from '#lib/session/request-guards.ts'
import { json, refuse, serveSession } from '../../answer.ts'

export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = preferenceChange.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'Invalid choice.')
    await writePreferences(session, body.data)
    return json({ ok: true })
  })
}
