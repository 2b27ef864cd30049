import { z } from 'zod'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { readAnyJson } from '#lib/session/request-guards.ts'
import { json, refuse } from '../answer.ts'
import { notDrafted, refuseNew, serveCommand } from './endpoint.ts'

const requestBody = z.strictObject({ kind: z.string(), params: z.unknown() })

/** Checks and stores a draft. Nothing is sent to the service. */
export function POST(request: Request): Promise<Response> {
  return serveCommand(request, async (session) => {
    const body = requestBody.safeParse((await readAnyJson(request))?.body)
    const kind = body.success ? kindNamed(body.data.kind) : undefined
    if (!body.success || kind === undefined) return refuse(400, 'Change not found.')
    const refused = await refuseNew(session, kind)
    if (refused !== null) return refused
    const reply = await draftCommand(session, kind, body.data.params)
    return reply.ok ? json(reply) : notDrafted(reply)
  })
}
