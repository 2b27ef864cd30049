import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PREPARED } from '#lib/database/open.ts'
import { type EventRow, findEvents } from '#lib/journal/event.ts'
import { nextSequence } from '#lib/journal/sequencer.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { CommandRow, LockHolder, LockKey } from './row.ts'

/** Takes a `permanent` key from a like command that showed no effect: together they have one effect. */
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

/** For a CTE named `moved`. Without effect, a command returns transferred keys; else it keeps its permanent ones. */
export const locksReleased = (hadNoEffect: boolean): RawBuilder<unknown> =>
  hadNoEffect
    ? sql`
    freed AS (DELETE FROM command_lock USING moved WHERE command_id = moved.id AND back_to IS NULL),
    returned AS (UPDATE command_lock SET command_id = back_to, back_to = NULL
      FROM moved WHERE command_id = moved.id AND back_to IS NOT NULL)`
    : sql`freed AS (DELETE FROM command_lock USING moved WHERE command_id = moved.id AND NOT for_ever)`

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

export interface LockedCommand {
  readonly row: CommandRow
  /** For the event of its next move. */
  readonly sequence: number
  readonly events: readonly EventRow[]
  /** False if no approval was requested. */
  readonly isRequested: boolean
}

/** Locks the command after its keys, in one statement. Null, with some taken, if another holds one or it is gone. */
export async function lockCommand(trx: Trx, id: string, locks: readonly LockKey[]): Promise<LockedCommand | null> {
  const sorted = inOrder(locks)
  const [keys, permanent] = [sorted.map(({ key }) => key), sorted.map((lock) => lock.permanent)]
  // The sequence is drawn after the inner query has locked the row.
  const { rows } = await sql<{ sequence: number; events: EventRow[]; is_requested: boolean } & CommandRow>`
    WITH taken AS (
      INSERT INTO command_lock (key, command_id, for_ever)
      SELECT key, ${id}, for_ever FROM unnest(${keys}::text[], ${permanent}::boolean[])
        WITH ORDINALITY AS wanted (key, for_ever, place) ORDER BY place
      ON CONFLICT (key) DO NOTHING RETURNING 1)
    SELECT locked.*, ${nextSequence} AS sequence,
      EXISTS (SELECT FROM approval_request WHERE command_id = locked.id) AS is_requested,
      (SELECT coalesce(json_agg(event ORDER BY sequence), '[]') FROM command_event AS event
        WHERE command_id = locked.id) AS events
    FROM (SELECT * FROM command WHERE id = ${id} AND (SELECT count(*) FROM taken) = ${keys.length}
      FOR UPDATE) AS locked ${PREPARED}`.execute(trx)
  const [found] = rows
  if (found === undefined) return null
  const { sequence, events, is_requested: isRequested, ...row } = found
  // The row may have changed while the statement waited for it; the events are older.
  if (events.at(-1)?.state === row.state) return { row, sequence, events, isRequested }
  return { row, sequence, events: await findEvents(trx, id), isRequested: true }
}

const inOrder = (locks: readonly LockKey[]): readonly LockKey[] => [...locks].sort((a, b) => (a.key < b.key ? -1 : 1))

/** In one order, so that commands cannot wait for each other. Throws {@link LockTaken} or {@link LockFreed}. */
export async function takeLocks(trx: Trx, commandId: string, locks: readonly LockKey[]): Promise<void> {
  for (const lock of inOrder(locks)) {
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

/** Take the keys one by one. */
export class LockHeld extends Error {}

/** The holder settled meanwhile: retry. */
export class LockFreed extends Error {}
