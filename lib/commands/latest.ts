import 'server-only'
import type { CommandKindName, CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findLatestSent } from '#lib/store/command-lists.ts'
import { findCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { seesChange } from './change-sight.ts'
import { withKept } from './kept-words.ts'
import { viewOf } from './view.ts'

/** What this console last sent about something, by whomever; null when there is nothing that this person may see. */
export async function latestCommand(
  session: Session,
  kind: CommandKindName,
  target: string,
): Promise<CommandView | null> {
  const row = await findLatestSent(await store(), kind, target)
  if (row === undefined || !(await seesChange(session, row))) return null
  return { ...(await withKept(session, row)), yours: row.actor === session.actor }
}

/** One command of a kind that was sent; null where there is none that this person may see. */
export async function sentCommand(session: Session, kind: CommandKindName, id: string): Promise<CommandView | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.kind !== kind || row.sent_at === null) return null
  return (await seesChange(session, row)) ? viewOf(row) : null
}
