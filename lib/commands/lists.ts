import 'server-only'
import type { CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findSentBy } from '#lib/store/command-lists.ts'
import { findOpen } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'
import { viewOf } from './view.ts'

/** More than a person looks through on the desk. */
const TODAY_MAX = 100
const DAY_MS = 86_400_000

/** Everybody's changes whose end is not known, oldest first. */
export async function openCommands(): Promise<CommandView[]> {
  return (await findOpen(await store())).map((row) => viewOf(row))
}

/** What this person sent in the last 24 hours, newest first. */
export async function sentLately(session: Session): Promise<CommandView[]> {
  const since = new Date(Date.now() - DAY_MS).toISOString()
  return (await findSentBy(await store(), session.actor, since, TODAY_MAX)).map((row) => viewOf(row))
}
