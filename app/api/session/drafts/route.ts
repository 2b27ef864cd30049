import { z } from 'zod'
import { readJson } from '#lib/session/request-guards.ts'
import { keepUnsentText, readUnsentText } from '#lib/session/unsent-text.ts'
import { UNSENT_TEXT_MAX_CHARS } from '#lib/session/unsent-text-place.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

/** Enough for `deposit:` and the longest reference. */
const PLACE_MAX_CHARS = 600
/** The limit of the database column. */
const INTEGER_MAX = 2_147_483_647
const write = z.strictObject({ page: z.uuid(), number: z.int().nonnegative().max(INTEGER_MAX) })
const typed = z.strictObject({
  owner: z.string(),
  place: z.string().min(1).max(PLACE_MAX_CHARS),
  text: z.string().max(UNSENT_TEXT_MAX_CHARS),
  write: write.optional(),
  unseen: write.optional(),
})

const announced = z.object({
  place: z.string().min(1).max(PLACE_MAX_CHARS),
  page: z.uuid(),
  number: z.coerce.number().int().nonnegative().max(INTEGER_MAX).nullable(),
})

/**
 * Answers whether a write that the previous page announced while it was left has arrived, and the stored text. Without
 * `number`, it answers whether the text was deleted as announced.
 */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const query = new URL(request.url).searchParams
    const asked = announced.safeParse({ ...Object.fromEntries(query), number: query.get('number') })
    if (!asked.success) return refuse(400, 'This is not how an unsent text is asked for.')
    const { place, ...write } = asked.data
    const { text, awaited = null } = await readUnsentText(session, place, { ...write, failed: true })
    return json({ ok: true, text, arrived: awaited === null })
  })
}

/**
 * Saves unsent text; an empty text is deleted. `owner` is the actor for whom the page was rendered: on a shared
 * computer, one person's text must not be saved for the next. If the earlier write `unseen` has arrived, its text
 * stays, is returned as `came`, and the new text is not saved.
 */
export function PUT(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const body = typed.safeParse((await readJson(request))?.body)
    if (!body.success)
      return refuse(400, `A text of at most ${UNSENT_TEXT_MAX_CHARS.toLocaleString('en-US')} characters can be kept.`)
    const { owner, place, text, write, unseen } = body.data
    if (owner !== session.actor) return refuse(409, 'Somebody else is signed in now.')
    const came = await keepUnsentText(session, place, text, { write, unseen })
    return json({ ok: true, ...(came === null ? {} : { came }) })
  })
}
