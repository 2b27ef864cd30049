import 'server-only'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canView } from './access.ts'
import type { CommandView } from './command.ts'
import { findLatestSent } from './command-lists.ts'
import { findCommand } from './command-table.ts'
import { viewFor, wholeViewFor } from './person-view.ts'

export async function latestCommand(
  session: Session,
  kind: CommandKindName,
  target: string,
): Promise<CommandView | null> {
  const row = await findLatestSent(await store(), kind, target)
  if (row === undefined || !(await canView(session, row))) return null
  return await wholeViewFor(session, row)
}

/** Shows authors their unsent command too: the page may reload before it is sent. */
export async function namedCommand(session: Session, kind: CommandKindName, id: string): Promise<CommandView | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.kind !== kind || !(await canView(session, row))) return null
  return row.actor === session.actor || row.sent_at !== null ? viewFor(session, row) : null
}
