import { z } from 'zod'
import { dismissChange } from '#lib/commands/settle.ts'
import { NOTE_MAX_CHARS } from '#lib/values/text.ts'
import { type Params, readBody, refuse } from '../../../answer.ts'
import { answer, note, serveCommand } from '../../endpoint.ts'

export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, z.strictObject({ why: note }))
    if (body === null) return refuse(400, `Enter a reason to dismiss, in at most ${NOTE_MAX_CHARS} characters.`)
    return answer(await dismissChange(session, (await params).id, body.why))
  })
