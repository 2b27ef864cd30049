import { z } from 'zod'
import { recordSeen, recordUnread } from '#lib/disputes/unread/thread-table.ts'
import { endWatches, recordHolderSeen, recordNotesSeen } from '#lib/disputes/workspace/case-notices.ts'
import { RESOLVED_END } from '#lib/disputes/workspace/workspace-tables.ts'
import { store } from '#lib/store/store.ts'
import { json, type Params, serveBody } from '../../../answer.ts'

/** Id and time define a message's place in its thread. */
const message = z.strictObject({
  id: z.guid(),
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/),
})

/** `holder`: the assignee, or empty. */
const changes = z.strictObject({ holder: z.string().max(200), open: z.boolean() })

const seen = z.union([message, z.strictObject({ note: z.uuid() }), changes])

/** Marks what this person has seen. Does not reveal if the console knows the case, and does not extend the session. */
export const POST = (request: Request, context: Params<'caseId'>): Promise<Response> =>
  mark(request, context, seen, recordAny)

export const DELETE = (request: Request, context: Params<'caseId'>): Promise<Response> =>
  mark(request, context, message, async (actor, caseId, unread) => recordUnread(await store(), actor, caseId, unread))

async function recordAny(actor: string, caseId: string, marked: z.output<typeof seen>): Promise<void> {
  const db = await store()
  if ('note' in marked) await recordNotesSeen(db, actor, caseId, marked.note)
  else if ('id' in marked) await recordSeen(db, actor, caseId, marked)
  else if (marked.open) await recordHolderSeen(db, { actor, caseId }, marked.holder)
  else await endWatches(actor, RESOLVED_END, caseId)
}

const mark = <Body>(
  request: Request,
  { params }: Params<'caseId'>,
  schema: z.ZodType<Body>,
  record: (actor: string, caseId: string, body: Body) => Promise<void>,
): Promise<Response> =>
  serveBody(request, schema, 'Not a message or note of a case.', async (session, body) => {
    await record(session.actor, (await params).caseId, body)
    return json({ ok: true })
  })
