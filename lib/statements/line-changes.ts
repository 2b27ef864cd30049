import 'server-only'
import type { Kysely, Selectable, Updateable } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { JudgedLine } from './line-table.ts'

export type LineRow = Selectable<Tables['statement_line']>
export type LineChange = Updateable<Tables['statement_line']>

/** Keeps what a look at a reference came to, unless the line names another one by now. */
export async function keepMatch(
  db: Kysely<Tables>,
  { statementId, number, sought }: { statementId: string; number: number; sought: string },
  found: LineChange,
): Promise<void> {
  await db
    .updateTable('statement_line')
    .set(found)
    .where('statement_id', '=', statementId)
    .where('number', '=', number)
    .where('sought', '=', sought)
    .where('command_id', 'is', null)
    .execute()
}

/** Binds a line to the command that confirms it. False when it is not as it was read, or another command has it. */
export async function bindLine(db: Kysely<Tables>, line: JudgedLine, commandId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement_line')
    .set({ command_id: commandId })
    .where('statement_id', '=', line.statement_id)
    .where('number', '=', line.number)
    .where('command_id', 'is', null)
    .where('sought', '=', line.sought)
    .where('sought_from', '=', line.sought_from)
    .where('bank_used', '=', line.bank_used)
    .where('verdict', '=', 'ready')
    .where('set_aside_reason', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets whatever line is bound to a command go of it, if that ended without effect. */
export async function freeLineOf(db: Kysely<Tables>, commandId: string): Promise<void> {
  await db
    .updateTable('statement_line')
    .set({ command_id: null })
    .where('command_id', '=', commandId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('command')
          .select('command.id')
          .where('command.id', '=', commandId)
          .where('command.state', 'in', ['refused', 'not_applied', 'closed']),
      ),
    )
    .execute()
}

/** A line that no command is bound to, locked until the transaction ends. */
export function lockLine(
  trx: Trx,
  { statementId, number }: { readonly statementId: string; readonly number: number },
): Promise<LineRow | undefined> {
  return trx
    .selectFrom('statement_line')
    .selectAll()
    .where('statement_id', '=', statementId)
    .where('number', '=', number)
    .where('command_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
