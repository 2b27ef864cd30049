import { z } from 'zod'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftAgain } from '#lib/commands/policy/approvals.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { readAnyJson } from '#lib/session/request-guards.ts'
import { json, refuse } from '../answer.ts'
import { notDrafted, refuseNew, serveCommand } from './endpoint.ts'

const newChange = z.strictObject({ kind: z.string(), params: z.unknown() })
/** The id of a request of this person that ended unsent. */
const again = z.strictObject({ again: z.uuid() })

/** Checks and stores a draft. Nothing is sent to the service. */
export const POST = (request: Request): Promise<Response> =>
  serveCommand(request, async (session) => {
    const given = (await readAnyJson(request))?.body
    const repeated = again.safeParse(given)
    if (repeated.success) {
      const reply = await draftAgain(session, repeated.data.again)
      if (reply === null) return refuse(404, 'Change not found.')
      return reply.ok ? json(reply) : notDrafted(reply)
    }
    const body = newChange.safeParse(given)
    const kind = body.success ? kindNamed(body.data.kind) : undefined
    if (!body.success || kind === undefined) return refuse(400, 'Change not found.')
    const refused = await refuseNew(session, kind)
    if (refused !== null) return refused
    const reply = await draftCommand(session, kind, body.data.params)
    return reply.ok ? json(reply) : notDrafted(reply)
  })
