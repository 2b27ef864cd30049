import { z } from 'zod'
import { attestation } from '#lib/commands/policy/passkeys.ts'
import { addPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { passkeyNameFault } from '#lib/two-factor/passkey.ts'
import { json, refuseAs, serveBody } from '../answer.ts'

const added = z.strictObject({
  name: z
    .string()
    .trim()
    .refine((name) => passkeyNameFault(name) === null),
  passkey: attestation,
})

export function POST(request: Request): Promise<Response> {
  return serveBody(request, added, 'Invalid passkey, or no name.', async (session, { name, passkey }) => {
    const reply = await addPasskey(session, name, passkey)
    return reply.ok ? json(reply) : refuseAs(reply)
  })
}
