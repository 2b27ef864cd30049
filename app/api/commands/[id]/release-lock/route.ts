import { z } from 'zod'
import { releaseLock } from '#lib/commands/release-lock.ts'
import { NOTE_MAX_CHARS } from '#lib/domain/typed-line.ts'
import { readJson } from '#lib/session/same-origin.ts'
import { refuse } from '../../../answer.ts'
import { answer, note, serveDoor } from '../../door.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

const asked = z.strictObject({ why: note })

/** A person frees what a change keeps taken although no effect of it shows. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return serveDoor(request, async (session) => {
    const body = asked.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, `Say why it may be freed, in at most ${NOTE_MAX_CHARS} characters.`)
    return answer(await releaseLock(session, (await params).id, body.data.why))
  })
}
