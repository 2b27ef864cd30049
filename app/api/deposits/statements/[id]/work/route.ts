import { after } from 'next/server'
import { z } from 'zod'
import { TYPED_CODE_MAX_CHARS } from '#lib/commands/code.ts'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { verifiedUntil } from '#lib/session/session.ts'
import { startConfirming } from '#lib/statements/confirm-lines.ts'
import { startMatching } from '#lib/statements/match-lines.ts'
import { isStatementThere, STATEMENT_NOT_FOUND } from '#lib/statements/statement-list.ts'
import { stopWork } from '#lib/statements/work.ts'
import { store } from '#lib/store/store.ts'
import { json, type Params, refuse, refuseTooMany, serveBody } from '../../../../answer.ts'

const requestBody = z.union([
  z.strictObject({ work: z.literal('look'), scope: z.enum(['unread', 'all']) }),
  z.strictObject({
    work: z.literal('confirm'),
    seal: z.string().max(100),
    code: z.string().max(TYPED_CODE_MAX_CHARS).optional(),
  }),
])

const why = {
  unknown: 'Work not found.',
  ended: 'This run has ended already. Nothing was stopped.',
  busy: 'This statement is already being worked on. Try again in a moment.',
  changed: 'The ready lines have changed. Nothing was sent. Check them, then confirm again.',
  'codes-rejected':
    'Three codes were rejected. Nothing was sent. Check the clock of your authenticator, then confirm again.',
} as const

/** Continues without the browser. `seal`: of the shown lines. `wanted`: a second factor comes first. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveBody(request, requestBody, why.unknown, async (session, body) => {
    if (body.work === 'confirm' && !(await hasRoom(await store(), session.actor))) return refuseTooMany()
    const { id } = await params
    if (!(await isStatementThere(id))) return refuse(404, STATEMENT_NOT_FOUND)
    const detach = (running: Promise<unknown>) => after(() => running)
    if (body.work === 'look') {
      return (await startMatching(session, id, detach, body.scope)) ? json({ ok: true }) : refuse(409, why.busy)
    }
    const { seal, code = null } = body
    const before = verifiedUntil(session)
    const started = await startConfirming(session, id, { seal, code }, detach)
    const until = verifiedUntil(session)
    if (started === 'busy' || started === 'changed' || started === 'codes-rejected') return refuse(409, why[started])
    return json({
      ok: true,
      ...(until === before ? {} : { verifiedUntil: until }),
      ...(started === 'started' ? {} : { wanted: started }),
    })
  })

export const DELETE = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveBody(request, z.strictObject({ run: z.int32() }), why.unknown, async (_session, { run }) => {
    const { id } = await params
    if (!(await isStatementThere(id))) return refuse(404, STATEMENT_NOT_FOUND)
    return (await stopWork(id, run)) ? json({ ok: true }) : refuse(409, why.ended)
  })
