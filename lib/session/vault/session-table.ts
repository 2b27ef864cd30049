import 'server-only'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { recordAudit } from '#lib/session/audit-trail.ts'
import { endOfSession } from '#lib/session/session-end-table.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { inTransaction } from '#lib/store/transaction.ts'

export type SessionRow = Selectable<Tables['session']>
type NewHandle = Insertable<Tables['session_handle']>

/** Ends the person's least recently active sessions beyond `most` and returns their ids. */
export function insertSession(
  db: Kysely<Tables>,
  session: Insertable<Tables['session']>,
  handle: NewHandle,
  most: number,
): Promise<readonly string[]> {
  return inTransaction(db, async (trx) => {
    // Serialises the sign-ins of one person: two concurrent ones would exceed `most`.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${session.actor}, 0))`.execute(trx)
    const ended = await deleteLeastActive(trx, session.actor, most - 1)
    await trx.insertInto('session').values(session).execute()
    await trx.insertInto('session_handle').values(handle).execute()
    const { actor, display_name: displayName, method, user_agent } = session
    await recordAudit(
      trx,
      { by: { actor, displayName, method }, kind: 'session.sign-in', facts: { browser: browserWords(user_agent) } },
      ...ended.map((row) => endOfSession(row, 'too-many')),
    )
    return ended.map(({ id }) => id)
  })
}

async function deleteLeastActive(trx: Trx, actor: string, keep: number): Promise<readonly SessionRow[]> {
  const kept = trx
    .selectFrom('session')
    .select('id')
    .where('actor', '=', actor)
    .orderBy('last_active_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(keep)
  return await trx.deleteFrom('session').where('actor', '=', actor).where('id', 'not in', kept).returningAll().execute()
}

export function findSession(db: Kysely<Tables>, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listSessions(db: Kysely<Tables>, actor: string): Promise<readonly SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('actor', '=', actor)
    .orderBy('last_active_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
}

/** Never moves back. */
export async function saveActivity(db: Kysely<Tables>, id: string, at: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_active_at: at })
    .where('id', '=', id)
    .where('last_active_at', '<', at)
    .execute()
}

export async function saveAdminRule(db: Kysely<Tables>, id: string, rule: string | null): Promise<void> {
  await db
    .updateTable('session')
    .set({ admin_rule: rule })
    .where('id', '=', id)
    .where(sql<boolean>`admin_rule IS DISTINCT FROM ${rule}`)
    .execute()
}

/** False when another process has or has used the right to refresh this generation. */
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

/** Also ends the lease. False when the session or this generation is gone. */
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
