import 'server-only'
import type { Kysely } from 'kysely'
import type { Marks } from '#lib/commands/policy/rules.ts'
import type { Tables } from '#lib/store/tables.ts'
import { bankLock } from './deposit.ts'

interface Confirmation {
  readonly referenceId: string
  readonly bankReference: string
}

/** What people entered at lines of statements, at any time, that a confirmation is made of. */
const enteredFor = (db: Kysely<Tables>, { referenceId, bankReference }: Confirmation) =>
  db
    .selectFrom('entered_reference')
    .where(({ or, eb }) => or([eb('reference', '=', referenceId), eb('bank_key', '=', bankLock(bankReference))]))

/** Who entered a reference of it, though it may have been replaced or its statement discarded since, or last edited a line that names it. */
export async function editorsOf(db: Kysely<Tables>, given: Confirmation): Promise<readonly string[]> {
  const lastEdited = db
    .selectFrom('statement_line as line')
    .innerJoin('command as edit', 'edit.id', 'line.edit_id')
    .where('line.sought', '=', given.referenceId)
    .select('edit.actor')
  const editors = await enteredFor(db, given).select('actor').union(lastEdited).execute()
  return editors.map(({ actor }) => actor)
}

/** Whether something that it is made of was entered by hand at a line, and whether the bank's reference was freed by hand. */
export async function marksOfConfirmation(db: Kysely<Tables>, given: Confirmation): Promise<Marks> {
  const entered = await enteredFor(db, given).select('edit_id').limit(1).executeTakeFirst()
  return { enteredByHand: entered !== undefined, freedByHand: await wasFreed(db, given) }
}

/** Whether a person freed the bank's reference that a confirmation of another deposit kept because it showed no effect. */
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
