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
    freedByHand: (await findFreed(db)).some(
      ({ target, key }) => target !== given.referenceId && key === bankLock(given.bankReference),
    ),
  }
}

/** Confirmations that were settled as not applied, and whose bank reference an operator released. */
export async function findFreed(
  db: Kysely<Tables>,
): Promise<readonly { readonly target: string; readonly key: string }[]> {
  const ended = await db
    .selectFrom('command')
    .select(['id', 'target', 'params'])
    .where('state', '=', 'not_applied')
    .where('kind', '=', 'deposit.confirm')
    .execute()
  const keyed = ended.map(({ params, ...row }) => ({
    ...row,
    key: bankLock((JSON.parse(params) as Confirmation).bankReference),
  }))
  const keys = [...new Set(keyed.map(({ key }) => key))]
  const kept = await db
    .selectFrom('command_lock')
    .select(['key', 'command_id', 'back_to'])
    .where(sql<boolean>`key = ANY(${keys}::text[])`)
    .execute()
  return keyed.filter(({ id, key }) =>
    kept.every((lock) => lock.key !== key || (lock.command_id !== id && lock.back_to !== id)),
  )
}

/** Frees the statement line of a confirmation that ended unsent, so that it can be confirmed again. */
export async function freeLineOf(trx: Trx, commandId: string): Promise<void> {
  await trx.updateTable('statement_line').set({ command_id: null }).where('command_id', '=', commandId).execute()
}
