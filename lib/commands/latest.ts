import 'server-only'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canView } from './access.ts'
import type { CommandView } from './command.ts'
import { findLatestSent } from './command-lists.ts'
import { findCommand } from './command-table.ts'
import { viewOf, withKept } from './view.ts'

/** What this console last sent about something, by whomever; null when there is nothing that this person may see. */
export async function latestCommand(
  session: Session,
  kind: CommandKindName,
  target: string,
): Promise<CommandView | null> {
  const row = await findLatestSent(await store(), kind, target)
  if (row === undefined || !(await canView(session, row))) return null
  return { ...(await withKept(session, row)), yours: row.actor === session.actor }
}

/** One command of a kind that was sent; null where there is none that this person may see. */
export async function sentCommand(session: Session, kind: CommandKindName, id: string): Promise<CommandView | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.kind !== kind || row.sent_at === null) return null
  return (await canView(session, row)) ? viewOf(row) : null
}
