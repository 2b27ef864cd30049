import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canReconcile, canView } from './access.ts'
import type { CommandReply } from './command.ts'
import { type CommandRow, findCommand } from './command-table.ts'
import { wholeViewFor } from './person-view.ts'
import { reconcileCommand } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'
import { notFound, reconciledAs } from './view.ts'
import { watchCommand } from './watch.ts'

/** With `now`, or after the schedule has ended, reads the service first. */
export async function readCommand(session: Session, id: string, now: boolean): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || !(await canView(session, row))) return notFound
  const known = await reconcileIfOpen(session, row, now)
  return { ok: true, command: await wholeViewFor(session, known) }
}

async function reconcileIfOpen(session: Session, row: CommandRow, now: boolean): Promise<CommandRow> {
  if (reconciledAs(row) === null || !(await canReconcile(session, row))) return row
  watchCommand(session, row)
  if (watches().has(row.id) && !now) return row
  return (await reconcileCommand(session, row)).command
}
