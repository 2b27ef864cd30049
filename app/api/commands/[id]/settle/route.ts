import { z } from 'zod'
import { settleByHand } from '#lib/commands/settle-by-hand.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { refuse } from '../../../answer.ts'
import { answer, serveDoor } from '../../door.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

const WHY_MAX = 500
const verdict = z.strictObject({ happened: z.boolean(), why: z.string().trim().min(1).max(WHY_MAX) })

/** A person says what came of a command that nobody can read. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveDoor(request, async (session) => {
    const body = verdict.safeParse((await readJson(request))?.body)
    if (!body.success)
      return refuse(400, `Say whether it happened, and how you know, in at most ${WHY_MAX} characters.`)
    return answer(await settleByHand(session, (await params).id, body.data))
  })
}
