import { endSessionOfPerson } from '#lib/session/session-lists.ts'
import { json, type Params, serveSession } from '../../../answer.ts'

/** Answers the same for a session that is not there, or not theirs: nginx repeats a DELETE whose answer was cut. */
export const DELETE = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    await endSessionOfPerson(session, (await params).id)
    return json({ ok: true })
  })
