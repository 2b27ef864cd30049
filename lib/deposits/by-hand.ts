import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { PolicyFlags } from '#lib/commands/kind.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { bankLock } from './deposit.ts'

interface Confirmation {
  readonly referenceId: string
  readonly bankReference: string
}

/** References of this confirmation that operators entered on statement lines, at any time. */
const enteredFor = (db: Kysely<Tables>, { referenceId, bankReference }: Confirmation) =>
  db
    .selectFrom('entered_reference')
    .where(({ or, eb }) => or([eb('reference', '=', referenceId), eb('bank_key', '=', bankLock(bankReference))]))

/** Operators who entered one of its references, even if replaced since, last edited a line that names it, or handed it over. */
export async function editorsOf(db: Kysely<Tables>, given: Confirmation): Promise<readonly string[]> {
  const lastEdited = db
    .selectFrom('statement_line as line')
    .innerJoin('command as edit', 'edit.id', 'line.edit_id')
    .where('line.sought', '=', given.referenceId)
    .select('edit.actor')
  const handedOver = db
    .selectFrom('command')
    .where('kind', '=', 'deposit.hand-over')
    .where('target', '=', given.referenceId)
    .where('state', '=', 'done')
    .where(sql<string>`params::json ->> 'bankReference'`, '<>', '')
    .select('actor')
  const editors = await enteredFor(db, given).select('actor').union(lastEdited).union(handedOver).execute()
  return editors.map(({ actor }) => actor)
}

export async function flagsOfConfirmation(db: Kysely<Tables>, given: Confirmation): Promise<PolicyFlags> {
  const entered = await enteredFor(db, given).select('found').distinct().execute()
  return {
    enteredByHand: entered.some(({ found }) => !found),
    foundInText: entered.some(({ found }) => found),
    freedByHand: await wasFreed(db, given),
  }
}

/** An operator released this bank reference from another deposit's confirmation, which was settled as not applied. */
async function wasFreed(db: Kysely<Tables>, { referenceId, bankReference }: Confirmation): Promise<boolean> {
  const key = bankLock(bankReference)
  const others = await db
    .selectFrom('command')
    .select(['id', 'params'])
    .where('state', '=', 'not_applied')
    .where('kind', '=', 'deposit.confirm')
    .where('target', '!=', referenceId)
    .execute()
  const same = others.filter(({ params }) => bankLock((JSON.parse(params) as Confirmation).bankReference) === key)
  if (same.length === 0) return false
  const kept = await db.selectFrom('command_lock').select(['command_id', 'back_to']).where('key', '=', key).execute()
  const keepers = kept.flatMap(({ command_id, back_to }) => [command_id, back_to])
  return same.some(({ id }) => !keepers.includes(id))
}

/** Frees the statement line of a confirmation that ended unsent, so that it can be confirmed again. */
export async function freeLineOf(trx: Trx, commandId: string): Promise<void> {
  await trx.updateTable('statement_line').set({ command_id: null }).where('command_id', '=', commandId).execute()
}
