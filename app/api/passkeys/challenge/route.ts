import { z } from 'zod'
import { TYPED_CODE_MAX_CHARS } from '#lib/commands/code.ts'
import { beginPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { json, refuseAs, refuseTooMany, serveBody } from '../../answer.ts'

const requestBody = z.strictObject({ code: z.string().min(1).max(TYPED_CODE_MAX_CHARS) })

/** Starts adding a passkey; requires a code of the authenticator. */
export const POST = (request: Request): Promise<Response> =>
  serveBody(request, requestBody, 'Enter the code from your authenticator app.', async (session, { code }) => {
    const begun = await beginPasskey(session, code)
    if ('wanted' in begun && begun.wanted.problem?.status === 429) return refuseTooMany()
    return begun.ok || 'wanted' in begun ? json(begun) : refuseAs(begun)
  })
