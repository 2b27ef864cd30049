import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'

/**
 * Takes a `forEver` key from a command of the same kind and target that showed no effect: together they have one
 * effect.
 */
export async function borrowLock(trx: Trx, key: string, commandId: string): Promise<boolean> {
  const held = await trx
    .selectFrom('command_lock')
    .innerJoin('command as holder', 'holder.id', 'command_lock.command_id')
    .innerJoin('command as asking', (join) =>
      join.onRef('asking.kind', '=', 'holder.kind').onRef('asking.target', '=', 'holder.target'),
    )
    .select('holder.id')
    .where('command_lock.key', '=', key)
    .where('command_lock.for_ever', '=', true)
    .where('holder.state', '=', 'not_applied')
    .where('asking.id', '=', commandId)
    // A simultaneous read must not reopen the holder.
    .forShare('holder')
    .executeTakeFirst()
  if (held === undefined) return false
  const { numUpdatedRows } = await trx
    .updateTable('command_lock')
    .set({ command_id: commandId, back_to: held.id })
    .where('key', '=', key)
    .where('command_id', '=', held.id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function giveBackLocks(trx: Trx, commandId: string): Promise<void> {
  await trx
    .updateTable('command_lock')
    .set(({ ref }) => ({ command_id: ref('back_to').$notNull(), back_to: null }))
    .where('command_id', '=', commandId)
    .where('back_to', 'is not', null)
    .execute()
}

export async function keptKeys(db: Kysely<Tables>, commandId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('command_lock')
    .select('key')
    .where('command_id', '=', commandId)
    .where('for_ever', '=', true)
    .orderBy('key')
    .execute()
  return rows.map(({ key }) => key)
}

/** Returns the keys that another command holds now. */
export async function retakeKeys(trx: Trx, commandId: string, keys: readonly string[]): Promise<string[]> {
  for (const key of keys) {
    await trx
      .insertInto('command_lock')
      .values({ key, command_id: commandId, for_ever: true, back_to: null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
  const mine = await keptKeys(trx, commandId)
  return keys.filter((key) => !mine.includes(key))
}

export async function freeKeys(trx: Trx, commandId: string): Promise<string[]> {
  const keys = await keptKeys(trx, commandId)
  await trx.deleteFrom('command_lock').where('command_id', '=', commandId).where('for_ever', '=', true).execute()
  return keys
}
