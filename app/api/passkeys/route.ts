import { z } from 'zod'
import { attestation } from '#lib/commands/policy/passkeys.ts'
import { addPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { passkeyNameFault } from '#lib/two-factor/passkey.ts'
import { json, readBody, refuse, refuseAs, serveSession } from '../answer.ts'

const added = z.strictObject({
  name: z
    .string()
    .trim()
    .refine((name) => passkeyNameFault(name) === null),
  passkey: attestation,
})

export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readBody(request, added)
    if (body === null) return refuse(400, 'Invalid passkey, or no name.')
    const reply = await addPasskey(session, body.name, body.passkey)
    return reply.ok ? json(reply) : refuseAs(reply)
  })
}
