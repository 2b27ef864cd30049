import { z } from 'zod'
import { decideApproval } from '#lib/commands/policy/approvals.ts'
import { assertion } from '#lib/commands/policy/passkeys.ts'
import { NOTE_MAX_CHARS } from '#lib/values/text.ts'
import { type Params, readBody, refuse } from '../../../answer.ts'
import { answer, digest, note, serveCommand } from '../../endpoint.ts'

const decision = z.union([
  z.strictObject({
    approves: z.literal(true),
    effect: digest,
    factsMark: digest.optional(),
    reason: z.union([z.literal(''), note]),
    passkey: assertion.optional(),
  }),
  z.strictObject({ approves: z.literal(false), effect: digest, reason: note }),
])

/** Approves or declines another operator's change. A decline needs a reason. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const body = await readBody(request, decision)
    if (body === null) return refuse(400, `To decline, enter a reason, in at most ${NOTE_MAX_CHARS} characters.`)
    return answer(await decideApproval(session, (await params).id, body))
  })
