import { z } from 'zod'
import { endReasonFault } from '#lib/session/end-reason.ts'
import { endSessionsOfOther } from '#lib/session/end-session.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { json, refuse, serveSession } from '../../answer.ts'

const asked = z.strictObject({
  of: z.union([z.strictObject({ session: z.uuid() }), z.strictObject({ userId: z.string().min(1).max(200) })]),
  reason: z.string().trim(),
})

/** For administrators: ends one session or all sessions of a person, except the current one. Returns the number. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = asked.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'It takes a session or a person, and the reason.')
    const { of, reason } = body.data
    const fault = endReasonFault(reason)
    if (fault !== null) return refuse(400, fault)
    if ('session' in of && of.session === session.id) {
      return refuse(409, 'This is the session that you use. End it by signing out.')
    }
    const ended = await endSessionsOfOther({ by: session, except: session.id, of, reason })
    return ended > 0 ? json({ ok: true, ended }) : refuse(404, 'There is no such session any more.')
  })
}
