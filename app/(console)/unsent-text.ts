import { cookies } from 'next/headers'
import { z } from 'zod'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { type Announcement, type KeptText, LEAVING_COOKIE } from '#lib/session/unsent-text-place.ts'

const announcements: z.ZodType<readonly Announcement[]> = z.array(
  z.object({
    owner: z.string(),
    place: z.string(),
    page: z.string(),
    number: z.number().nullable(),
    failed: z.boolean(),
  }),
)

/** Null when the cookie has no entry of this operator for the place, or is malformed. */
function announcedIn(cookie: string | undefined, owner: string, place: string): Announcement | null {
  if (cookie === undefined) return null
  try {
    const all = announcements.parse(JSON.parse(cookie))
    return all.find((one) => one.owner === owner && one.place === place) ?? null
  } catch {
    return null
  }
}

/** The operator's unsent text, including text that the previous page was still sending when it was left. */
export async function unsentTextOf(session: Session, place: string): Promise<KeptText> {
  const cookie = (await cookies()).get(LEAVING_COOKIE)?.value
  return await readUnsentText(session, place, announcedIn(cookie, session.actor, place))
}
