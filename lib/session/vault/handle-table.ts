import 'server-only'
import type { Insertable, Kysely } from 'kysely'
import { inTransaction } from '#lib/store/in-transaction.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { SessionRow } from './session-table.ts'

type HandleTable = Tables['session_handle']

/** A session as one of its handles leads to it. */
export type HandledSession = SessionRow &
  Omit<HandleTable, 'session_id'> & {
    /** What its person has chosen, as JSON text; null when nothing. */
    readonly preferences: string | null
  }

export function findByHandle(db: Kysely<Tables>, idHash: string): Promise<HandledSession | undefined> {
  return db
    .selectFrom('session_handle')
    .innerJoin('session', 'session.id', 'session_handle.session_id')
    .leftJoin('preference', 'preference.actor', 'session.actor')
    .selectAll('session')
    .select([
      'session_handle.id_hash',
      'session_handle.wrapped_key',
      'session_handle.key_version',
      'session_handle.answers_until',
      'preference.body as preferences',
    ])
    .where('session_handle.id_hash', '=', idHash)
    .executeTakeFirst()
}

/** Replaces the wrapping of a data key, unless another process has done so since it was read. */
export async function saveWrapping(
  db: Kysely<Tables>,
  idHash: string,
  { from, to, wrappedKey }: { readonly from: number; readonly to: number; readonly wrappedKey: string },
): Promise<void> {
  await db
    .updateTable('session_handle')
    .set({ wrapped_key: wrappedKey, key_version: to })
    .where('id_hash', '=', idHash)
    .where('key_version', '=', from)
    .execute()
}

/**
 * Puts a new handle in the place of an old one, which answers until `oldAnswersUntil`. False when the old one has been
 * replaced before: of two requests that ask at once, one gets a new handle, so that the browser cannot keep the wrong one.
 */
export function replaceHandle(
  db: Kysely<Tables>,
  oldIdHash: string,
  oldAnswersUntil: string,
  handle: Insertable<HandleTable>,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const replaced = await trx
      .updateTable('session_handle')
      .set({ answers_until: oldAnswersUntil })
      .where('id_hash', '=', oldIdHash)
      .where('answers_until', 'is', null)
      .executeTakeFirst()
    if (replaced.numUpdatedRows === 0n) return false
    await trx.insertInto('session_handle').values(handle).execute()
    return true
  })
}
