import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { countRows, partPattern, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { endSession } from './end-session.ts'
import { sessionExpiry } from './limits.ts'
import type { Session } from './session.ts'
import type { SessionOrder } from './sessions-of-others.ts'
import { findSession, listSessions } from './vault/session-table.ts'

export interface SessionsQuery {
  /** Part of a name, a user id or an address, or a whole id; empty for all. */
  readonly part: string
  readonly order: SessionOrder
  readonly descending: boolean
  /** From 1. */
  readonly page: number
  readonly size: number
  /** ISO 8601. Sessions past their limits are left out, even if their rows still exist. */
  readonly now: string
  readonly idleSince: string
}

type Columns = 'id' | 'actor' | 'display_name' | 'user_id' | 'method' | 'created_at' | 'last_active_at' | 'user_agent'

export type ListedSession = Pick<Selectable<Tables['session']>, Columns | 'address'> & {
  readonly of_person: number
}

const orders = {
  person: sql`lower(display_name)`,
  started: sql`created_at`,
  active: sql`last_active_at`,
  address: sql`address`,
} as const satisfies Record<SessionOrder, unknown>

/** The result changes when a session begins or ends. */
export async function markOfSessions(db: Kysely<Tables>): Promise<string> {
  const { mark } = await db
    .selectFrom('session')
    .select(sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(id, 0)), 0)`.as('mark'))
    .executeTakeFirstOrThrow()
  return mark
}

export async function listAllSessions(
  db: Kysely<Tables>,
  { part, order, descending, page, size, now, idleSince }: SessionsQuery,
): Promise<{ readonly sessions: readonly ListedSession[]; readonly total: number }> {
  const like = partPattern(part)
  const living = db.selectFrom('session').where('ends_at', '>', now).where('last_active_at', '>', idleSince)
  const matching = living.$if(part !== '', (query) =>
    query.where((row) =>
      row.or([
        row('display_name', 'ilike', like),
        row('user_id', 'ilike', like),
        row('address', 'ilike', like),
        row('id', '=', part),
      ]),
    ),
  )
  const [sessions, total] = await Promise.all([
    matching
      .select(['id', 'actor', 'display_name', 'user_id', 'method', 'created_at', 'last_active_at', 'user_agent'])
      .select((row) => [
        'address',
        row
          .selectFrom('session as other')
          .whereRef('other.actor', '=', 'session.actor')
          .where('other.ends_at', '>', now)
          .where('other.last_active_at', '>', idleSince)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('of_person'),
      ])
      .orderBy(orders[order], (by) => (descending ? by.desc() : by.asc()).nullsLast())
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countRows(matching),
  ])
  return { sessions: sessions.map((row) => ({ ...row, of_person: Number(row.of_person) })), total }
}

/** The current session first, then the most recently active. */
export const sessionsOfPerson = async (session: Session) =>
  (await listSessions(await store(), session.actor))
    .filter((row) => sessionExpiry({ lastActiveAt: row.last_active_at, endsAt: row.ends_at }).at > Date.now())
    .map((row) => ({
      id: row.id,
      userAgent: row.user_agent,
      address: row.address,
      startedAt: row.created_at,
      lastActiveAt: row.last_active_at,
      method: row.method,
      current: row.id === session.id,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))

export async function endSessionOfPerson(session: Session, id: string): Promise<void> {
  if ((await findSession(await store(), id))?.actor === session.actor) await endSession(id, 'ended-by-owner')
}
