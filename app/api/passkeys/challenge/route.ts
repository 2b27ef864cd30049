import { z } from 'zod'
import { TYPED_CODE_MAX_CHARS } from '#lib/commands/code.ts'
import { beginPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { json, readBody, refuse, refuseAs, refuseTooMany, serveSession } from '../../answer.ts'

const requestBody = z.strictObject({ code: z.string().min(1).max(TYPED_CODE_MAX_CHARS) })

/** Starts adding a passkey; requires a code of the authenticator. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, 'Enter the code from your authenticator app.')
    const begun = await beginPasskey(session, body.code)
    if ('wanted' in begun && begun.wanted.problem?.status === 429) return refuseTooMany()
    return begun.ok || 'wanted' in begun ? json(begun) : refuseAs(begun)
  })
}
