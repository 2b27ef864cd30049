import { after } from 'next/server'
import { z } from 'zod'
import { acceptFoundReferences, findFoundReferences } from '#lib/statements/found-references.ts'
import { startMatching } from '#lib/statements/match-lines.ts'
import { isStatementThere, STATEMENT_NOT_FOUND } from '#lib/statements/statement-list.ts'
import { store } from '#lib/store/store.ts'
import { json, type Params, refuse, serveBody, serveSession } from '../../../../answer.ts'

export const GET = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async () => {
    const { id } = await params
    if (!(await isStatementThere(id))) return refuse(404, STATEMENT_NOT_FOUND)
    return json({ ok: true, found: await findFoundReferences(await store(), id) })
  })

const requestBody = z.strictObject({ seal: z.string().max(100) })

/** Accepts the references that the answer with this seal listed, and looks the lines up again in the background. */
export const POST = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveBody(request, requestBody, 'Found references not found.', async (session, { seal }) => {
    const { id } = await params
    if (!(await isStatementThere(id))) return refuse(404, STATEMENT_NOT_FOUND)
    if (!(await acceptFoundReferences(session, id, seal))) {
      return refuse(409, 'The found references have changed. Nothing was accepted. Check them again.')
    }
    await startMatching(session, id, (running) => after(() => running))
    return json({ ok: true })
  })
