import { after } from 'next/server'
import { z } from 'zod'
import { may, readAccess } from '#lib/core-api/scopes.ts'
import { startConfirming } from '#lib/intake/confirm-run.ts'
import { startLookUp } from '#lib/intake/look-up.ts'
import { stopWork } from '#lib/intake/work.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { json, refuse } from '../../../../answer.ts'
import { serveIntake } from '../../serve-intake.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

const CONFIRM = 'core:transactions:confirm'
const asked = z.union([
  z.strictObject({ work: z.literal('look') }),
  z.strictObject({ work: z.literal('confirm'), seal: z.string().max(100) }),
])

const BUSY = 'Work on this statement goes on already. Look again in a moment.'
const CHANGED = 'Other lines are ready now than were shown. Nothing was sent. Look at them, then confirm anew.'

/** Starts work on a statement, which goes on without the browser. `seal`: exactly the lines that were shown. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveIntake(request, async (session) => {
    const body = asked.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, 'There is no such work.')
    const { id } = await params
    const detach = (running: Promise<unknown>) => after(() => running)
    if (body.data.work === 'look') {
      return (await startLookUp(session, id, detach)) ? json({ ok: true }) : refuse(409, BUSY)
    }
    if (!may(await readAccess(session), CONFIRM)) return refuse(403, `This needs the scope ${CONFIRM}.`)
    const started = await startConfirming(session, id, body.data.seal, detach)
    return started === 'started' ? json({ ok: true }) : refuse(409, started === 'busy' ? BUSY : CHANGED)
  })
}

/** Asks the work to end after the line it is at. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return serveIntake(request, async () => {
    await stopWork((await params).id)
    return json({ ok: true })
  })
}
