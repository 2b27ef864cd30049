import 'server-only'
import type { Kysely } from 'kysely'
import type { Marks } from '#lib/commands/policy/rules.ts'
import type { Tables } from '#lib/store/tables.ts'
import { bankLock } from './deposit.ts'

interface Confirmation {
  readonly referenceId: string
  readonly bankReference: string
}

/** The lines of statements that are not discarded and name a deposit. */
const linesNaming = (db: Kysely<Tables>, referenceId: string) =>
  db
    .selectFrom('statement_line as line')
    .innerJoin('statement', 'statement.id', 'line.statement_id')
    .where('line.sought', '=', referenceId)
    .where('statement.discarded_at', 'is', null)

/** Who edited such a line, or entered a reference of it. */
export async function editorsOf(db: Kysely<Tables>, { referenceId }: Confirmation): Promise<readonly string[]> {
  const editors = await linesNaming(db, referenceId)
    .innerJoin('command as edit', (on) =>
      on.on(({ or, eb, ref }) =>
        or([
          eb('edit.id', '=', ref('line.sought_edit_id')),
          eb('edit.id', '=', ref('line.bank_edit_id')),
          eb('edit.id', '=', ref('line.edit_id')),
        ]),
      ),
    )
    .select('edit.actor')
    .distinct()
    .execute()
  return editors.map(({ actor }) => actor)
}

/** Whether such a line agrees only by what somebody entered, and whether the bank's reference was freed by hand. */
export async function marksOfConfirmation(db: Kysely<Tables>, given: Confirmation): Promise<Marks> {
  const entered = await linesNaming(db, given.referenceId)
    .select('line.number')
    .where(({ or, eb, ref }) =>
      or([eb('line.sought_from', '!=', 'field'), eb('line.bank_used', '!=', ref('line.bank_reference'))]),
    )
    .limit(1)
    .executeTakeFirst()
  return { enteredByHand: entered !== undefined, freedByHand: await wasFreed(db, given) }
}

/** A confirmation of another deposit without an effect that shows keeps its bank reference, unless a person freed it. */
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
  const kept = await db
    .selectFrom('command_lock')
    .select(['command_id', 'back_to'])
    .where('key', '=', key)
    .executeTakeFirst()
  return same.some(({ id }) => id !== kept?.command_id && id !== kept?.back_to)
}
