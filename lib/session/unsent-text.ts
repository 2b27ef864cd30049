import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'
import type { AnnouncedWrite, KeptText } from './unsent-text-place.ts'
import { deleteText, type FoundText, findText, saveText } from './unsent-text-table.ts'

/** Texts per person; one more drops the one that was typed longest ago. */
const TEXTS_MOST = 100

/** How often a text that is on its way is looked for, and how long a page waits in between: five seconds in all. */
const LOOKS_MOST = 100
const LOOK_EVERY_MS = 50

const isIn = (found: FoundText | undefined, { page, number }: AnnouncedWrite): boolean =>
  number === null ? found === undefined : found?.write.page === page && found.write.number >= number

interface Announced extends AnnouncedWrite {
  /** It was tried before the page was left, and is not on its way. */
  readonly failed?: boolean
}

/**
 * What the person typed at a place and has not sent. A text that the page before sent as it was left is waited for: the next
 * page may be asked for before it is here. One that does not come within five seconds is told as `awaited`.
 */
export async function readUnsentText(
  session: Session,
  place: string,
  announced: Announced | null = null,
): Promise<KeptText> {
  const db = await store()
  const looksMost = announced === null || announced.failed ? 1 : LOOKS_MOST
  let found = await findText(db, session.actor, place)
  for (let looks = 1; announced !== null && !isIn(found, announced) && looks < looksMost; looks += 1) {
    await wait(LOOK_EVERY_MS)
    found = await findText(db, session.actor, place)
  }
  const text = { owner: session.actor, place, text: found?.text ?? '' }
  if (announced === null || isIn(found, announced)) return text
  return { ...text, awaited: { page: announced.page, number: announced.number } }
}

const NO_WRITE = { page: '', number: 0 }

interface KeptWrite {
  /** Which page wrote it, and the number of the write there. */
  readonly write?: { readonly page: string; readonly number: number } | undefined
  /** The write of the page before that this page still waits for, and has not shown. */
  readonly unseen?: { readonly page: string; readonly number: number } | null | undefined
}

/**
 * Keeps what was typed, for this person alone, past reloads and sessions. An empty text is forgotten. Answers the text that
 * the page waits for, where that has come meanwhile: it stays, and this one is not kept.
 */
export async function keepUnsentText(
  session: Session,
  place: string,
  text: string,
  { write = NO_WRITE, unseen = null }: KeptWrite = {},
): Promise<string | null> {
  const db = await store()
  const at = new Date().toISOString()
  if (text === '') await deleteText(db, session.actor, place, unseen)
  else await saveText(db, { owner: session.actor, place, text, write, at }, unseen, TEXTS_MOST)
  if (unseen === null) return null
  const found = await findText(db, session.actor, place)
  return isIn(found, unseen) ? (found?.text ?? null) : null
}
