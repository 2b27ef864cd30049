import { z } from 'zod'
import { attestation } from '#lib/commands/policy/passkeys.ts'
import { readJson } from '#lib/session/request-guards.ts'
import { addPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { passkeyNameFault } from '#lib/two-factor/passkey.ts'
import { json, refuse, refuseAs, serveSession } from '../answer.ts'

const added = z.strictObject({
  name: z
    .string()
    .trim()
    .refine((name) => passkeyNameFault(name) === null),
  passkey: attestation,
})

export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = added.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'Invalid passkey, or no name.')
    const reply = await addPasskey(session, body.data.name, body.data.passkey)
    return reply.ok ? json(reply) : refuseAs(reply)
  })
}
