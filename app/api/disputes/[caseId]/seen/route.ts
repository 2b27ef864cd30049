import { z } from 'zod'
import { noteSeen } from '#lib/disputes/unread/thread-table.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { store } from '#lib/store/store.ts'
import { json, refuse, serveOwn } from '../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly caseId: string }>
}

/** A message as its thread shows it: by id and time it is put in order. */
const message = z.strictObject({
  id: z.guid(),
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/),
})

/**
 * The person has had this message of a case in view, and with it all that came before: theirs alone, told to nobody. It is
 * kept for cases that this console knows; no answer tells which those are. No activity.
 */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveOwn(request, async (session) => {
    const body = message.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'This is no message of a case.')
    await noteSeen(await store(), session.actor, (await params).caseId, body.data)
    return json({ ok: true })
  })
}
