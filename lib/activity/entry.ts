import 'server-only'
import { canViewEntry } from '#lib/commands/access.ts'
import type { Line, Place } from '#lib/commands/command.ts'
import { actorWords } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { own } from '#lib/values/own.ts'
import { placeOfEntry } from './command-place.ts'
import { entryWords } from './entry-words.ts'
import { kindWords, methodWords } from './kind-words.ts'

export interface ShownEntry {
  readonly title: string
  readonly lines: readonly Line[]
  readonly place: Place | null
}

/** Null if it does not exist or the person may not see it. */
export async function shownEntry(session: Session, id: string): Promise<ShownEntry | null> {
  const row = await (await store()).selectFrom('audit_entry').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined || !(await canViewEntry(session, row))) return null
  const { title, lines } = entryWords(row)
  const common: readonly Line[] = [
    { label: 'Kind', value: own(kindWords, row.kind) ?? row.kind, as: 'text' },
    { label: 'When', value: row.at, as: 'time' },
    { label: 'By', value: actorWords(session, row), as: 'text' },
    // Without the prefix that marks a single sign-on account.
    { label: 'User id', value: row.actor.replace(/^sso:/, ''), as: 'id' },
    ...(row.method === null ? [] : [{ label: 'Signed in by', value: methodWords[row.method], as: 'text' } as const]),
    ...(row.about === '' ? [] : [{ label: 'About', value: row.about, as: 'reference' } as const]),
  ]
  return { title, lines: [...common, ...lines], place: placeOfEntry(row, row.actor === session.actor) }
}
