import { preferenceChange, writePreferences } from '#lib/session/preferences.ts'
import { json, readBody, refuse, serveSession } from '../../answer.ts'

export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readBody(request, preferenceChange)
    if (body === null) return refuse(400, 'Invalid choice.')
    await writePreferences(session, body)
    return json({ ok: true })
  })
}
