import 'server-only'
import type { CommandRow } from '#lib/store/commands.ts'
import type { Trx } from '#lib/store/tables.ts'
import { kindOf, paramsOf } from './view.ts'

/**
 * Writes what a command that took effect leaves in the console's own tables, in the transaction that settles it, however
 * its end became known. `data` is null where no answer could be read.
 */
export async function keepRows(trx: Trx, row: CommandRow, data: unknown): Promise<void> {
  const { id: commandId, actor, actor_name: actorName } = row
  await kindOf(row).keep?.(trx, { commandId, actor, actorName, params: paramsOf(row), data })
}
