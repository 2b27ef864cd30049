import { preferenceChange, writePreferences } from '#lib/session/preferences.ts'
import { json, serveBody } from '../../answer.ts'

export const POST = (request: Request): Promise<Response> =>
  serveBody(request, preferenceChange, 'Invalid choice.', async (session, change) => {
    await writePreferences(session, change)
    return json({ ok: true })
  })
