import 'server-only'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import { canView } from '#lib/commands/access.ts'
import {
  type CommandView,
  type HomeChanges,
  isUndecidedView,
  type LimitUse,
  type OpenChanges,
  type OpenCounts,
} from '#lib/commands/command.ts'
import { findOverdue } from '#lib/commands/policy/approval-list.ts'
import { waitingApprovals } from '#lib/commands/policy/approval-view.ts'
import { limitUse } from '#lib/commands/policy/gate.ts'
import {
  countOpen,
  countSentBy,
  findLate,
  findOpen,
  findSentBy,
  findUnhandled,
  LATE_MAX,
  OPEN_MAX,
} from '#lib/commands/queries.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { mayBeSettledByHand, viewFor } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

const TODAY_MAX = 100
const DAY_MS = 86_400_000

const dayAgo = (): string => new Date(Date.now() - DAY_MS).toISOString()

export async function openChanges(session: Session): Promise<OpenChanges> {
  const db = await store()
  const [late, seen, waiting]: [CommandView[], CommandView[], CommandView[]] = [[], [], []]
  const unseen = { unknown: 0, accepted: 0, unhandled: 0 }
  const lateRows = await findLate(db, dayAgo())
  for (const row of lateRows.slice(0, LATE_MAX)) {
    if (await canView(session, row)) late.push(viewFor(session, row))
    else unseen.unhandled += 1
  }
  const [open, unhandled] = await Promise.all([findOpen(db), findUnhandled(db)])
  for (const row of [...open, ...unhandled]) {
    if (!(await canView(session, row))) unseen[mayBeSettledByHand(row) ? 'unknown' : countedAs(row)] += 1
    else (row.state === 'not_applied' ? waiting : seen).push(viewFor(session, row))
  }
  const more = { late: lateRows.length > LATE_MAX, ...(await beyond(open, unhandled)) }
  return { late, seen, unhandled: waiting, unseen, more }
}

function countedAs({ state }: Pick<CommandRow, 'state'>): keyof OpenCounts {
  if (state === 'not_applied') return 'unhandled'
  return state === 'accepted' ? 'accepted' : 'unknown'
}

async function beyond(open: readonly CommandRow[], unhandled: readonly CommandRow[]): Promise<OpenCounts> {
  if (Math.max(open.length, unhandled.length) < OPEN_MAX) return { unknown: 0, accepted: 0, unhandled: 0 }
  const all = await countOpen(await store())
  const left = (of: keyof OpenCounts) =>
    Math.max(0, all[of] - [...open, ...unhandled].filter((row) => countedAs(row) === of).length)
  return { unknown: left('unknown'), accepted: left('accepted'), unhandled: left('unhandled') }
}

/** Only of kinds that the person may send, as far as known. */
async function ownLimits(session: Session): Promise<readonly LimitUse[]> {
  const uses = await limitUse(await store(), session.actor)
  const refusals = await Promise.all(uses.map(({ kind }) => refusedToMake(session, changes[kind])))
  return uses.filter((_use, at) => refusals[at] === null)
}

export async function homeChanges(session: Session): Promise<HomeChanges> {
  const [db, since] = [await store(), dayAgo()]
  const [open, rows, count, limits, { toDecide, own, endedUnsent }] = await Promise.all([
    openChanges(session),
    findSentBy(db, session.actor, since, TODAY_MAX),
    countSentBy(db, session.actor, since),
    ownLimits(session),
    waitingApprovals(session),
  ])
  const undecided = toDecide.filter(isUndecidedView)
  const waiting = [...undecided, ...own.filter(isUndecidedView)].map(({ id }) => id)
  return {
    ...open,
    lately: { changes: rows.map((row) => viewFor(session, row)), count },
    approvals: { toDecide: undecided, own, endedUnsent, overdue: await findOverdue(waiting) },
    limits,
  }
}
