import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { LockHolder, LockKey } from './row.ts'

/**
 * Takes a `permanent` key from a command of the same kind and target that showed no effect: together they have one
 * effect.
 */
export async function transferLock(trx: Trx, key: string, commandId: string): Promise<boolean> {
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

/**
 * A command without effect returns transferred keys and frees the others. One that may have had an effect keeps its
 * permanent keys.
 */
export async function releaseLocks(trx: Trx, commandId: string, hadNoEffect: boolean): Promise<void> {
  if (hadNoEffect) await returnTransferred(trx, commandId)
  const held = trx.deleteFrom('command_lock').where('command_id', '=', commandId)
  await (hadNoEffect ? held : held.where('for_ever', '=', false)).execute()
}

async function returnTransferred(trx: Trx, commandId: string): Promise<void> {
  await trx
    .updateTable('command_lock')
    .set(({ ref }) => ({ command_id: ref('back_to').$notNull(), back_to: null }))
    .where('command_id', '=', commandId)
    .where('back_to', 'is not', null)
    .execute()
}

export async function permanentKeys(db: Kysely<Tables>, commandId: string): Promise<string[]> {
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
  const mine = await permanentKeys(trx, commandId)
  return keys.filter((key) => !mine.includes(key))
}

export async function freeKeys(trx: Trx, commandId: string): Promise<string[]> {
  const keys = await permanentKeys(trx, commandId)
  await trx.deleteFrom('command_lock').where('command_id', '=', commandId).where('for_ever', '=', true).execute()
  return keys
}

export async function holderOf(db: Kysely<Tables>, key: string): Promise<LockHolder | null> {
  const holder = await db
    .selectFrom('command_lock')
    .innerJoin('command', 'command.id', 'command_lock.command_id')
    .select([
      'command_lock.key',
      'command.id as commandId',
      'command.actor',
      'command.actor_name as actorName',
      'command.method',
      'command.target',
      'command.sent_at as sentAt',
      'command.state',
      'command.kind',
    ])
    .where('command_lock.key', '=', key)
    .executeTakeFirst()
  return holder ?? null
}

/**
 * Takes them in one order, so that commands cannot wait for each other. Throws {@link LockTaken} or {@link LockFreed}.
 */
export async function takeLocks(trx: Trx, commandId: string, locks: readonly LockKey[]): Promise<void> {
  for (const lock of [...locks].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const taken = await trx
      .insertInto('command_lock')
      .values({ key: lock.key, command_id: commandId, for_ever: lock.permanent, back_to: null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst()
    if (taken.numInsertedOrUpdatedRows !== 0n) continue
    if (await transferLock(trx, lock.key, commandId)) continue
    const holder = await holderOf(trx, lock.key)
    if (holder === null) throw new LockFreed()
    // Another send of the same command was first.
    throw new LockTaken(holder.commandId === commandId ? null : holder)
  }
}

export class LockTaken extends Error {
  readonly holder: LockHolder | null

  constructor(holder: LockHolder | null) {
    super('the lock is taken')
    this.holder = holder
  }
}

/** The holder settled meanwhile: retry. */
export class LockFreed extends Error {}
