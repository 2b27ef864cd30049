import { cookies } from 'next/headers'
import { z } from 'zod'
import type { Session } from '#lib/session/session.ts'
import { type AnnouncedWrite, readUnsentText } from '#lib/session/unsent-text.ts'
import { LEAVING_COOKIE } from '#lib/session/unsent-text-place.ts'

const writes = z.array(z.tuple([z.string(), z.string(), z.number().nullable()]))

/** Null when there is none for the place, or the cookie is not of our making. */
function announcedIn(cookie: string | undefined, place: string): AnnouncedWrite | null {
  if (cookie === undefined) return null
  try {
    const write = writes.parse(JSON.parse(cookie)).find(([at]) => at === place)
    return write === undefined ? null : { page: write[1], number: write[2] }
  } catch {
    return null
  }
}

/** What the person typed at a place and has not sent, with what the page before was still sending as it was left. */
export async function unsentTextOf(session: Session, place: string) {
  return await readUnsentText(session, place, announcedIn((await cookies()).get(LEAVING_COOKIE)?.value, place))
}
