import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { CommandView, OpenChanges } from '#lib/commands/command.ts'
import { findLate, findOpen, findSentBy } from '#lib/commands/command-lists.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** More than a person looks through on Home. */
const TODAY_MAX = 100
const DAY_MS = 86_400_000

/** {@link OpenChanges} of one person. */
export async function openChanges(session: Session): Promise<OpenChanges> {
  const db = await store()
  const late: CommandView[] = []
  for (const row of await findLate(db, new Date(Date.now() - DAY_MS).toISOString())) {
    if (await canView(session, row)) late.push(viewFor(session, row))
  }
  const seen: CommandView[] = []
  const unseen = { unknown: 0, accepted: 0 }
  for (const row of await findOpen(db)) {
    if (await canView(session, row)) seen.push(viewFor(session, row))
    else unseen[row.state === 'accepted' ? 'accepted' : 'unknown'] += 1
  }
  return { late, seen, unseen }
}

/** What this person sent in the last 24 hours, newest first. */
export async function sentLately(session: Session): Promise<CommandView[]> {
  const since = new Date(Date.now() - DAY_MS).toISOString()
  return (await findSentBy(await store(), session.actor, since, TODAY_MAX)).map((row) => viewFor(session, row))
}
