import 'server-only'
import type { CommandView, Outcome } from '#lib/domain/command.ts'
import { type CommandRow, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { viewOf } from './view.ts'

/** Ends a draft that is not sent. If somebody sent it in this very moment, answers what came of that instead. */
export async function closeDraft(row: CommandRow, outcome: Outcome): Promise<CommandView> {
  const db = await store()
  const closed = await moveCommand(db, row.id, {
    from: ['draft'],
    to: 'closed',
    outcome: JSON.stringify(outcome),
    note: { why: outcome.class },
  })
  return viewOf(closed ?? (await findCommand(db, row.id)) ?? row)
}
