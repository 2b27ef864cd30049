import { z } from 'zod'
import { readJson } from '#lib/session/same-origin.ts'
import { keepUnsentText } from '#lib/session/unsent-text.ts'
import { UNSENT_TEXT_MAX_CHARS } from '#lib/session/unsent-text-place.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

/** Longer than `deposit:` and the longest reference. */
const PLACE_MAX_CHARS = 600
/** Of the column that holds it. */
const INTEGER_MAX = 2_147_483_647
const typed = z.strictObject({
  owner: z.string(),
  place: z.string().min(1).max(PLACE_MAX_CHARS),
  text: z.string().max(UNSENT_TEXT_MAX_CHARS),
  write: z.strictObject({ page: z.uuid(), number: z.int().nonnegative().max(INTEGER_MAX) }).optional(),
})

/**
 * Keeps what a person typed and has not sent; an empty text is forgotten. `owner` is whose page it was typed on: what one
 * person left behind on a shared desk must not become the next one's.
 */
export function PUT(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const body = typed.safeParse((await readJson(request))?.body)
    if (!body.success) return refuse(400, `A text of at most ${UNSENT_TEXT_MAX_CHARS} characters can be kept.`)
    const { owner, place, text, write } = body.data
    if (owner !== session.actor) return refuse(409, 'Somebody else is signed in now.')
    await keepUnsentText(session, place, text, write)
    return json({ ok: true })
  })
}
