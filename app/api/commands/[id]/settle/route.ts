import { z } from 'zod'
import { settleByHand } from '#lib/commands/settle.ts'
import { NOTE_MAX_CHARS } from '#lib/values/text.ts'
import { type Params, readBody, refuse } from '../../../answer.ts'
import { answer, note, serveCommand } from '../../endpoint.ts'

const verdict = z.strictObject({ happened: z.boolean(), why: note })

/** Records an operator's verdict on a command whose outcome cannot be read from the service. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, verdict)
    if (body === null) {
      return refuse(400, `Choose whether it happened and enter how you know, in at most ${NOTE_MAX_CHARS} characters.`)
    }
    return answer(await settleByHand(session, (await params).id, body))
  })
