import 'server-only'
import type { WaitingApprovals } from '#lib/commands/approvals/approval.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findApprovals, findAwaiting } from './approval-table.ts'
import { whyNotDecide } from './may-decide.ts'

/** The changes that wait for this person to decide about, and their own that wait for others or to be sent. */
export async function waitingApprovals(session: Session): Promise<WaitingApprovals> {
  const rows = await findAwaiting(await store())
  const toDecide: CommandRow[] = []
  for (const row of rows) if (await waitsFor(session, row)) toDecide.push(row)
  const own = rows.filter(({ actor }) => actor === session.actor)
  const shown = (row: CommandRow) => viewFor(session, row)
  return { toDecide: toDecide.map(shown), own: own.map(shown) }
}

async function waitsFor(session: Session, row: CommandRow): Promise<boolean> {
  if (row.actor === session.actor) return false
  const decided = await findApprovals(await store(), row.id)
  return !decided.some(({ actor }) => actor === session.actor) && (await whyNotDecide(session, row)) === null
}
