import { z } from 'zod'
import { readWrite, saveUnsentText } from '#lib/session/unsent-text.ts'
import { depositPlace, UNSENT_TEXT_MAX_CHARS } from '#lib/session/unsent-text-place.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { json, refuse, serveBody, serveSession } from '../../answer.ts'

/** Enough for `deposit:` and the longest reference. */
const place = z.string().min(1).max(600)
const page = z.uuid()
/** The limit of the database column. */
const number = z.int().nonnegative().max(2_147_483_647)

const writeQuery = z.object({ place, page, number: z.coerce.number().pipe(number) })
const unsentWrite = z.strictObject({
  owner: z.string(),
  place,
  text: z.string().max(UNSENT_TEXT_MAX_CHARS),
  page,
  number,
  base: z.int().nonnegative(),
  offered: z.string().nullish(),
})

/** Answers the text of the page if that write of it has arrived; otherwise null. */
export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const query = writeQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams))
    if (!query.success) return refuse(400, 'Invalid request.')
    const { place, page, number } = query.data
    return json({ ok: true, written: await readWrite(session, place, page, number) })
  })

/** `owner` is the actor of the page: on a shared computer, one person's text must not be saved for the next. */
export function PUT(request: Request): Promise<Response> {
  const words = `At most ${formatCount(UNSENT_TEXT_MAX_CHARS)} characters can be saved.`
  return serveBody(request, unsentWrite, words, async (session, { owner, place, ...write }) => {
    if (owner !== session.actor) return refuse(409, 'Someone else is signed in now.')
    // A bank reference can pass as one.
    const isRefused = !place.startsWith(depositPlace('')) && holdsCardNumber(write.text)
    // Its first digits may be stored.
    const saved = await saveUnsentText(session, place, isRefused ? { ...write, text: '' } : write)
    return isRefused ? refuse(422, CARD_NUMBER_WORDS) : json({ ok: true, ...saved })
  })
}
