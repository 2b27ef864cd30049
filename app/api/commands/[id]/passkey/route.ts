import { askPasskey } from '#lib/commands/policy/passkeys.ts'
import { json, type Params, refuse } from '../../../answer.ts'
import { serveCommand } from '../../endpoint.ts'

/** Returns a passkey challenge that is bound to this change. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveCommand(request, async (session) => {
    const challenge = await askPasskey(session, (await params).id)
    if (challenge.ok) return json(challenge)
    const { status } = challenge.problem
    return status === 403 || status === 409
      ? json({ ...challenge, fields: {} }, status)
      : refuse(404, 'Change not found.')
  })
