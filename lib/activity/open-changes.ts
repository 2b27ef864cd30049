import 'server-only'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import { canView } from '#lib/commands/access.ts'
import { waitingApprovals } from '#lib/commands/approvals/waiting-approvals.ts'
import type { CommandView, HomeChanges, LimitUse, OpenChanges } from '#lib/commands/command.ts'
import { countOpen, countSentBy } from '#lib/commands/command-counts.ts'
import { findLate, findOpen, findSentBy, LATE_MAX, OPEN_MAX } from '#lib/commands/command-lists.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import { limitUse } from '#lib/commands/policy/limit-use.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** More than a person looks through on Home. */
const TODAY_MAX = 100
const DAY_MS = 86_400_000

const dayAgo = (): string => new Date(Date.now() - DAY_MS).toISOString()

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

/** Of changes that the person may make, as far as that is known. */
async function ownLimits(session: Session): Promise<readonly LimitUse[]> {
  const uses = await limitUse(await store(), session.actor)
  const refusals = await Promise.all(uses.map(({ kind }) => refusedToMake(session, changes[kind])))
  return uses.filter((_use, at) => refusals[at] === null)
}

/** {@link HomeChanges} of one person; of what they sent, as much as Home shows. */
export async function homeChanges(session: Session): Promise<HomeChanges> {
  const [db, since] = [await store(), dayAgo()]
  const [open, rows, count, limits, approvals] = await Promise.all([
    openChanges(session),
    findSentBy(db, session.actor, since, TODAY_MAX),
    countSentBy(db, session.actor, since),
    ownLimits(session),
    waitingApprovals(session),
  ])
  return { ...open, lately: { changes: rows.map((row) => viewFor(session, row)), count }, approvals, limits }
}
