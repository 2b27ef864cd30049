import 'server-only'
import type { WaitingApprovals } from '#lib/commands/approvals/approval.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findApprovals, findAwaiting, findNotApproved } from './approval-table.ts'
import { whyNotDecide } from './may-decide.ts'

const DAY_MS = 86_400_000

export async function waitingApprovals(session: Session): Promise<WaitingApprovals> {
  const db = await store()
  const since = new Date(Date.now() - DAY_MS).toISOString()
  const [rows, ended] = await Promise.all([findAwaiting(db), findNotApproved(db, session.actor, since)])
  const toDecide: CommandRow[] = []
  for (const row of rows) if (await waitsFor(session, row)) toDecide.push(row)
  const own = rows.filter(({ actor }) => actor === session.actor)
  const shown = (row: CommandRow) => viewFor(session, row)
  return { toDecide: toDecide.map(shown), own: own.map(shown), notApproved: ended.map(shown) }
}

async function waitsFor(session: Session, row: CommandRow): Promise<boolean> {
  if (row.actor === session.actor) return false
  const decided = await findApprovals(await store(), row.id)
  return !decided.some(({ actor }) => actor === session.actor) && (await whyNotDecide(session, row)) === null
}
