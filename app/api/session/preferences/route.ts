import { z } from 'zod'
import { writePreferences } from '#lib/session/preferences.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

const change = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  timeFirst: z.enum(['local', 'utc']).optional(),
})

/** What a person chooses for themselves: the theme, and which time comes first. */
export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const body = change.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'There is no such choice.')
    await writePreferences(session, body.data)
    return json({ ok: true })
  })
}
