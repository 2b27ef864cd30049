import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'
import type { AnnouncedWrite, KeptText } from './unsent-text-place.ts'
import { deleteText, type FoundText, findText, saveText } from './unsent-text-table.ts'

const TEXTS_MOST = 100

const LOOKS_MOST = 100
const LOOK_EVERY_MS = 50

const isIn = (found: FoundText | undefined, { page, number }: AnnouncedWrite): boolean =>
  number === null ? found === undefined : found?.write.page === page && found.write.number >= number

interface Announced extends AnnouncedWrite {
  readonly failed?: boolean
}

/** Waits up to five seconds for the announced write, because the next page may load before it arrives. */
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
  readonly write?: { readonly page: string; readonly number: number } | undefined
  /** A write of the previous page that this page waits for and has not shown. */
  readonly unseen?: { readonly page: string; readonly number: number } | null | undefined
}

/** If the `unseen` write has arrived, it is returned and this text is not saved. An empty text is deleted. */
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
