import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { type Insertable, type Kysely, type SqlBool, sql } from 'kysely'
import { inTransaction } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { SessionRow } from './session-table.ts'

type HandleTable = Tables['session_handle']

export type HandledSession = SessionRow &
  Omit<HandleTable, 'session_id'> & {
    /** JSON text; null when the person has chosen nothing. */
    readonly preferences: string | null
  }

export const findByHandle = (db: Kysely<Tables>, idHash: string): Promise<HandledSession | undefined> =>
  db
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

/** Does nothing if another process was first. */
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

/** False when the handle was replaced or its session ended. */
export async function isCurrentHandle(db: Kysely<Tables>, idHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('session_handle')
    .select('answers_until')
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return row !== undefined && row.answers_until === null
}

/** The sessions' admin rules by handle. Includes replaced handles within their grace. */
export async function findOpenHandles(
  db: Kysely<Tables>,
  idHashes: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db
    .selectFrom('session_handle')
    .innerJoin('session', 'session.id', 'session_handle.session_id')
    .select(['id_hash', 'admin_rule'])
    .where(sql<SqlBool>`id_hash = ANY(${[...idHashes]})`)
    .where(({ or, eb }) => or([eb('answers_until', 'is', null), eb('answers_until', '>', new Date().toISOString())]))
    .execute()
  return new Map(rows.map(({ id_hash, admin_rule }) => [id_hash, admin_rule]))
}

/** False when another request was first. */
export const replaceHandle = (
  db: Kysely<Tables>,
  oldIdHash: string,
  graceEndsAt: string,
  handle: Insertable<HandleTable>,
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const replaced = await trx
      .updateTable('session_handle')
      .set({ answers_until: graceEndsAt })
      .where('id_hash', '=', oldIdHash)
      .where('answers_until', 'is', null)
      .executeTakeFirst()
    if (replaced.numUpdatedRows === 0n) return false
    await trx.insertInto('session_handle').values(handle).execute()
    return true
  })

const HALF_BYTES = 32
/** 64 bytes in base64url. */
const HANDLE = /^[A-Za-z0-9_-]{86}$/

export const newHandle = (): string => randomBytes(2 * HALF_BYTES).toString('base64url')

/** `idHash` finds the session's row, `secret` opens its data key. */
export function splitHandle(handle: string) {
  if (!HANDLE.test(handle)) return null
  const bytes = Buffer.from(handle, 'base64url')
  const idHash = createHash('sha256').update(bytes.subarray(0, HALF_BYTES)).digest('base64url')
  return { idHash, secret: bytes.subarray(HALF_BYTES) }
}
