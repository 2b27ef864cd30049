import 'server-only'
import type { CommandKindName, CommandView } from '#lib/domain/command.ts'
import { currentSession } from '#lib/session/current.ts'
import { findLatestSent } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { viewOf } from './view.ts'

/** What this console last sent about something, by whomever; null when it never did. */
export async function latestCommand(kind: CommandKindName, target: string): Promise<CommandView | null> {
  const [row, session] = await Promise.all([findLatestSent(await store(), kind, target), currentSession()])
  return row === undefined ? null : { ...viewOf(row), yours: row.actor === session?.actor }
}
