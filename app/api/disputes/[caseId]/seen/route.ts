import { z } from 'zod'
import { recordSeen, recordUnread } from '#lib/disputes/unread/thread-table.ts'
import { readJson } from '#lib/session/request-guards.ts'
import { store } from '#lib/store/store.ts'
import { json, refuse, serveSession } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

/** Id and time define a message's place in its thread. */
const message = z.strictObject({
  id: z.guid(),
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/),
})

/**
 * Marks a message and all earlier ones as read, visible only to this person. The answer does not reveal whether the
 * console knows the case. Does not extend the session.
 */
export const POST = (request: Request, context: Context): Promise<Response> => mark(request, context, recordSeen)

export const DELETE = (request: Request, context: Context): Promise<Response> => mark(request, context, recordUnread)

const mark = (request: Request, { params }: Context, record: typeof recordSeen): Promise<Response> =>
  serveSession(request, async (session) => {
    const body = message.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'Not a message of a case.')
    await record(await store(), session.actor, (await params).caseId, body.data)
    return json({ ok: true })
  })
