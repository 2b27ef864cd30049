import 'server-only'
import { store } from '#lib/store/store.ts'
import { deleteText, findText, saveText } from '#lib/store/text-drafts.ts'
import type { Session } from './session.ts'

/** Texts per person; one more drops the one that was typed longest ago. */
const TEXTS_MOST = 100

/** What the person typed at a place and has not sent: a `KeptText` for the page. */
export async function readUnsentText(session: Session, place: string) {
  const text = (await findText(await store(), session.actor, place)) ?? ''
  return { owner: session.actor, place, text }
}

/** Keeps what was typed, for this person alone, past reloads and sessions. An empty text is forgotten. */
export async function keepUnsentText(session: Session, place: string, text: string): Promise<void> {
  const db = await store()
  if (text === '') await deleteText(db, session.actor, place)
  else await saveText(db, { owner: session.actor, place, text, at: new Date().toISOString() }, TEXTS_MOST)
}
