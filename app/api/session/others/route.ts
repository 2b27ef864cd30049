import { z } from 'zod'
import { endSessionsOfOther } from '#lib/session/end-session.ts'
import { endReasonFault } from '#lib/session/sessions-of-others.ts'
import { json, refuse, serveBody } from '../../answer.ts'

const requestBody = z.strictObject({
  of: z.union([z.strictObject({ session: z.uuid() }), z.strictObject({ userId: z.string().min(1).max(200) })]),
  reason: z.string().trim(),
})

/** For administrators: ends one session or all sessions of a person, except the current one. Returns the number. */
export const POST = (request: Request): Promise<Response> =>
  serveBody(request, requestBody, 'Give a session or a person, and a reason.', async (session, body) => {
    const { of, reason } = body
    const fault = endReasonFault(reason)
    if (fault !== null) return refuse(400, fault)
    if ('session' in of && of.session === session.id) {
      return refuse(409, 'This is your current session. Sign out to end it.')
    }
    const ended = await endSessionsOfOther({ by: session, except: session.id, of, reason })
    return ended > 0 ? json({ ok: true, ended }) : refuse(404, 'This session has already ended.')
  })
