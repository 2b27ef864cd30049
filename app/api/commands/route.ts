import { z } from 'zod'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { draftCommand } from '#lib/commands/draft.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { readAnyJson } from '#lib/session/same-origin.ts'
import { json, refuse } from '../answer.ts'
import { refuseNew, serveCommand } from './endpoint.ts'

const asked = z.strictObject({ kind: z.string(), params: z.unknown() })

/** Everybody's changes whose end is not known, as far as the person may see them, and what they sent lately. */
export function GET(request: Request): Promise<Response> {
  return serveCommand(request, async (session) => json(await homeChanges(session)))
}

/** The one endpoint for changes, first half: checks and stores a draft. Nothing is sent. */
export function POST(request: Request): Promise<Response> {
  return serveCommand(request, async (session) => {
    const body = asked.safeParse((await readAnyJson(request))?.body)
    const kind = body.success ? kindNamed(body.data.kind) : undefined
    if (!body.success || kind === undefined) return refuse(400, 'There is no such change.')
    return (await refuseNew(session, kind)) ?? json(await draftCommand(session, kind, body.data.params))
  })
}
