import { z } from 'zod'
import { freeLock } from '#lib/commands/settle.ts'
import { NOTE_MAX_CHARS } from '#lib/values/text.ts'
import { type Params, readBody, refuse } from '../../../answer.ts'
import { answer, note, serveCommand } from '../../endpoint.ts'

/** Releases the lock of a change for which no effect is visible. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, z.strictObject({ why: note }))
    if (body === null) return refuse(400, `Enter a reason to free the lock, in at most ${NOTE_MAX_CHARS} characters.`)
    return answer(await freeLock(session, (await params).id, body.why))
  })
