import { z } from 'zod'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { NOTE_MAX_CHARS } from '#lib/values/text.ts'
import { type Params, readBody, refuse } from '../../../answer.ts'
import { answer, note, PROOF_MAX_CHARS, serveCommand } from '../../endpoint.ts'

const requestBody = z.strictObject({ reason: note, proof: z.string().max(PROOF_MAX_CHARS).optional() })

export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, `Enter a reason, in at most ${NOTE_MAX_CHARS} characters.`)
    const { reason, proof = null } = body
    return answer(await askForApproval(session, (await params).id, { reason, proof }))
  })
