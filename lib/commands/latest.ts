import 'server-only'
import type { CommandKindName, CommandView } from '#lib/domain/command.ts'
import { currentSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { findCommand, findLatestSent } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { mayLook } from './look.ts'
import { viewOf } from './view.ts'

/** What this console last sent about something, by whomever; null when it never did. */
export async function latestCommand(kind: CommandKindName, target: string): Promise<CommandView | null> {
  const [row, session] = await Promise.all([findLatestSent(await store(), kind, target), currentSession()])
  return row === undefined ? null : { ...viewOf(row), yours: row.actor === session?.actor }
}

/** One command of a kind that was sent; null where there is none that this person may see. */
export async function sentCommand(session: Session, kind: CommandKindName, id: string): Promise<CommandView | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.kind !== kind || row.sent_at === null) return null
  return (await mayLook(session, row)) ? viewOf(row) : null
}
