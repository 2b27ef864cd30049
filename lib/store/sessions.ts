import 'server-only'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Tables } from './tables.ts'

export type SessionRow = Selectable<Tables['session']>
export type HandleRow = Selectable<Tables['session_handle']>

export async function insertSession(
  db: Kysely<Tables>,
  session: Insertable<Tables['session']>,
  handle: Insertable<Tables['session_handle']>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('session').values(session).execute()
    await trx.insertInto('session_handle').values(handle).execute()
  })
}

export function findByHandle(
  db: Kysely<Tables>,
  idHash: string,
): Promise<(SessionRow & Omit<HandleRow, 'session_id'>) | undefined> {
  return db
    .selectFrom('session_handle')
    .innerJoin('session', 'session.id', 'session_handle.session_id')
    .selectAll('session')
    .select(['session_handle.id_hash', 'session_handle.wrapped_key', 'session_handle.key_version'])
    .where('session_handle.id_hash', '=', idHash)
    .executeTakeFirst()
}

export function findSession(db: Kysely<Tables>, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function deleteSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute()
}

/** Takes the right to refresh one generation of tokens. False when another process has it, or has used it. */
export async function takeLease(
  db: Kysely<Tables>,
  lease: {
    readonly id: string
    readonly serial: number
    readonly by: string
    readonly now: string
    readonly endsAt: string
  },
): Promise<boolean> {
  const taken = await db
    .updateTable('session')
    .set({ lease_by: lease.by, lease_ends_at: lease.endsAt })
    .where('id', '=', lease.id)
    .where('token_serial', '=', lease.serial)
    .where((row) => row.or([row('lease_by', 'is', null), row('lease_ends_at', '<', lease.now)]))
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

export async function releaseLease(db: Kysely<Tables>, id: string, by: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ lease_by: null, lease_ends_at: null })
    .where('id', '=', id)
    .where('lease_by', '=', by)
    .execute()
}

/** Saves the next generation of tokens and ends the lease. False when the session, or this generation, is gone. */
export async function saveTokens(
  db: Kysely<Tables>,
  id: string,
  next: { readonly serial: number; readonly box: string; readonly receivedAt: string; readonly endsAt: string },
): Promise<boolean> {
  const saved = await db
    .updateTable('session')
    .set({
      box: next.box,
      token_serial: next.serial,
      access_received_at: next.receivedAt,
      access_ends_at: next.endsAt,
      lease_by: null,
      lease_ends_at: null,
    })
    .where('id', '=', id)
    .where('token_serial', '<', next.serial)
    .executeTakeFirst()
  return saved.numUpdatedRows === 1n
}
