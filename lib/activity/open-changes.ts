import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { CommandView, OpenChanges } from '#lib/commands/command.ts'
import { countOpen, countSentBy } from '#lib/commands/command-counts.ts'
import { findLate, findOpen, findSentBy, LATE_MAX, OPEN_MAX } from '#lib/commands/command-lists.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** More than a person looks through on Home. */
const TODAY_MAX = 100
const DAY_MS = 86_400_000

export const dayAgo = (): string => new Date(Date.now() - DAY_MS).toISOString()

/** {@link OpenChanges} of one person. */
export async function openChanges(session: Session): Promise<OpenChanges> {
  const db = await store()
  const late: CommandView[] = []
  const lateRows = await findLate(db, dayAgo())
  for (const row of lateRows.slice(0, LATE_MAX)) {
    if (await canView(session, row)) late.push(viewFor(session, row))
  }
  const seen: CommandView[] = []
  const unseen = { unknown: 0, accepted: 0 }
  const rows = await findOpen(db)
  for (const row of rows) {
    if (await canView(session, row)) seen.push(viewFor(session, row))
    else unseen[row.state === 'accepted' ? 'accepted' : 'unknown'] += 1
  }
  const more = { late: lateRows.length > LATE_MAX, ...(await beyond(rows)) }
  return { late, seen, unseen, more }
}

/** How many open ones there are beyond those that were read. */
async function beyond(rows: readonly CommandRow[]): Promise<Pick<OpenChanges['more'], 'unknown' | 'accepted'>> {
  if (rows.length < OPEN_MAX) return { unknown: 0, accepted: 0 }
  const all = await countOpen(await store())
  const read = (wanted: string) => rows.filter(({ state }) => state === wanted).length
  return {
    unknown: Math.max(0, all.unknown - read('unknown')),
    accepted: Math.max(0, all.accepted - read('accepted')),
  }
}

/** What this person sent in the last 24 hours, newest first; as much of it as Home shows. */
export async function sentLately(session: Session): Promise<CommandView[]> {
  const rows = await findSentBy(await store(), session.actor, dayAgo(), TODAY_MAX)
  return rows.map((row) => viewFor(session, row))
}

/** How many changes that are. */
export const countSentLately = async (session: Session): Promise<number> =>
  countSentBy(await store(), session.actor, dayAgo())
