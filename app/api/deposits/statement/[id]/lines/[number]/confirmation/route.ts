import { may, readAccess } from '#lib/core-api/scopes.ts'
import { draftByHand } from '#lib/intake/confirm-by-hand.ts'
import { json, refuse } from '../../../../../../answer.ts'
import { refuseFlood } from '../../../../../../commands/door.ts'
import { serveIntake } from '../../../../serve-intake.ts'

interface Context {
  readonly params: Promise<{ readonly id: string; readonly number: string }>
}

const CONFIRM = 'core:transactions:confirm'

/** Prepares the confirmation of one line that somebody entered something into. The door executes it, or takes it back. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveIntake(request, async (session) => {
    if (!may(await readAccess(session), CONFIRM)) return refuse(403, `This needs the scope ${CONFIRM}.`)
    const { id, number } = await params
    if (!/^[1-9]\d{0,5}$/.test(number)) return refuse(400, 'There is no such line.')
    const flood = await refuseFlood(session)
    if (flood !== null) return flood
    const prepared = await draftByHand(session, id, Number(number))
    return prepared.ok ? json(prepared) : refuse(409, prepared.why)
  })
}
