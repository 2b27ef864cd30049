import 'server-only'
import type { CommandReply } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, findCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { mayWatch, seesChange } from './change-sight.ts'
import { withKept } from './kept-words.ts'
import { notFound } from './not-found.ts'
import { settleByReading } from './settle.ts'
import { lookedAt } from './view.ts'
import { watchCommand } from './watch.ts'
import { watches } from './watched.ts'

/**
 * What is known of a command now, for whoever may see it. While the console looks by itself, all who ask share its looks; `now`, or a command
 * that nobody looks at any more, is read here.
 */
export async function lookAtCommand(session: Session, id: string, now: boolean): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || !(await seesChange(session, row))) return notFound
  const known = await lookIfOpen(session, row, now)
  return { ok: true, command: { ...(await withKept(session, known)), yours: row.actor === session.actor } }
}

async function lookIfOpen(session: Session, row: CommandRow, now: boolean): Promise<CommandRow> {
  if (lookedAt(row) === null || !(await mayWatch(session, row))) return row
  watchCommand(session, row)
  if (watches().has(row.id) && !now) return row
  return (await settleByReading(session, row)).command
}
