import 'server-only'
import type { Kysely, Selectable, Updateable } from 'kysely'
import { inTransaction } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { JudgedLine } from './shown-lines.ts'
import type { Suggestion } from './statement-view.ts'
import type { Suggested } from './suggestions.ts'

export type LineRow = Selectable<Tables['statement_line']>
export type LineChange = Updateable<Tables['statement_line']>

interface LookedUp {
  readonly statementId: string
  readonly number: number
  readonly sought: string
}

/** Does nothing if the line names another reference. If a command is bound to it, only the state changes. */
export async function saveMatch(
  db: Kysely<Tables>,
  line: LookedUp,
  found: LineChange,
  suggested: Suggested,
): Promise<void> {
  if (found.verdict === 'unknown') return await keepUnknown(db, line, found, suggested)
  if (await keepOnFree(db, line, found)) return
  const { found_state, found_debit, found_credit, looked_at, looked_run } = found
  if (found_state == null) return
  await lineThatNames(db, line)
    .set({ found_state, found_debit, found_credit, looked_at, looked_run })
    .where('command_id', 'is not', null)
    .execute()
}

const lineThatNames = (db: Kysely<Tables>, { statementId, number, sought }: LookedUp) =>
  db
    .updateTable('statement_line')
    .where('statement_id', '=', statementId)
    .where('number', '=', number)
    .where('sought', '=', sought)

async function keepOnFree(db: Kysely<Tables>, line: LookedUp, found: LineChange): Promise<boolean> {
  const { numUpdatedRows } = await lineThatNames(db, line).set(found).where('command_id', 'is', null).executeTakeFirst()
  return numUpdatedRows > 0n
}

const keepUnknown = (db: Kysely<Tables>, line: LookedUp, found: LineChange, suggested: Suggested) =>
  inTransaction(db, async (trx) => {
    if (!(await keepOnFree(trx, line, found))) return
    const at = { statement_id: line.statementId, number: line.number }
    await trx
      .deleteFrom('statement_suggestion')
      .where('statement_id', '=', at.statement_id)
      .where('number', '=', at.number)
      .execute()
    if (suggested.found.length === 0) return
    const rows = suggested.found.map(({ reference, foundIn, state, debit, paidBefore }) => ({
      ...at,
      reference,
      found_in: foundIn,
      is_whole: suggested.isWhole,
      state,
      debit,
      paid_count: paidBefore?.count ?? null,
      paid_last: paidBefore?.last ?? null,
    }))
    await trx.insertInto('statement_suggestion').values(rows).execute()
  })

/** Where it was found; undefined if it is not suggested for this line. */
export async function findSuggested(
  db: Kysely<Tables>,
  { statement_id, number }: { readonly statement_id: string; readonly number: number },
  reference: string,
): Promise<Suggestion['foundIn'] | undefined> {
  const row = await db
    .selectFrom('statement_suggestion')
    .select('found_in')
    .where('statement_id', '=', statement_id)
    .where('number', '=', number)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.found_in
}

/** False if the line changed or its statement was discarded. The row lock lets only one of them succeed. */
export const bindLine = (db: Kysely<Tables>, line: JudgedLine, commandId: string): Promise<boolean> =>
  inTransaction(
    db,
    async (trx) =>
      (await keepStatement(trx, line.statement_id)) && (await changeUnchanged(trx, line, { command_id: commandId })),
  )

export async function changeUnchanged(db: Kysely<Tables>, line: JudgedLine, change: LineChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement_line')
    .set(change)
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

/** Locks the statement's row until the transaction ends. False if it was discarded. */
async function keepStatement(trx: Trx, id: string): Promise<boolean> {
  const statement = trx.selectFrom('statement').select('discarded_at').where('id', '=', id).forShare()
  return (await statement.executeTakeFirst())?.discarded_at === null
}

/** Locks a line without a command, and its statement against discarding. */
export async function lockLine(
  trx: Trx,
  { statementId, number }: { readonly statementId: string; readonly number: number },
): Promise<LineRow | undefined> {
  if (!(await keepStatement(trx, statementId))) return undefined
  return await trx
    .selectFrom('statement_line')
    .selectAll()
    .where('statement_id', '=', statementId)
    .where('number', '=', number)
    .where('command_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
