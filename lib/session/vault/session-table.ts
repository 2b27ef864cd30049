import 'server-only'
import { type ExpressionBuilder, type Insertable, type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { type AuditEntry, type AuditedPerson, auditFailed, recordAudit } from '#lib/session/audit-trail.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import { inTransaction } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'

export type SessionRow = Selectable<Tables['session']>
/** Ends the person's least recently active sessions beyond `most` and returns their ids. */
export const insertSession = (
  db: Kysely<Tables>,
  session: Insertable<Tables['session']>,
  handle: Insertable<Tables['session_handle']>,
  most: number,
): Promise<readonly string[]> =>
  inTransaction(db, async (trx) => {
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

export const findSession = (db: Kysely<Tables>, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()

export const listSessions = (db: Kysely<Tables>, actor: string): Promise<readonly SessionRow[]> =>
  db
    .selectFrom('session')
    .selectAll()
    .where('actor', '=', actor)
    .orderBy('last_active_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()

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

/** False when another process has or has used the right to refresh this generation. A process renews it once at a time. */
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
    .where((row) =>
      row.or([row('lease_by', 'is', null), row('lease_by', '=', lease.by), row('lease_ends_at', '<', lease.now)]),
    )
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** False when another process has taken it. */
export async function releaseLease(db: Kysely<Tables>, id: string, by: string): Promise<boolean> {
  const released = await db
    .updateTable('session')
    .set({ lease_by: null, lease_ends_at: null })
    .where('id', '=', id)
    .where('lease_by', '=', by)
    .executeTakeFirst()
  return released.numUpdatedRows === 1n
}

export interface RenewedTokens {
  readonly serial: number
  readonly box: string
  readonly receivedAt: string
  readonly endsAt: string
}

/** Also ends the lease. False when the session or this generation is gone. */
export async function saveTokens(db: Kysely<Tables>, id: string, next: RenewedTokens): Promise<boolean> {
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

export type WhyEnded =
  | 'signed-out'
  | 'ended-by-owner'
  | 'ended-by-admin'
  /** A sign-in beyond `SESSIONS_MOST` replaced it. */
  | 'too-many'
  | 'idle'
  | 'absolute'
  | 'refused'
  | 'unfinished'
  | 'back-channel'
  | 'not-staff'
  /** The person in the session's row was altered. */
  | 'changed-in-store'
  /** A renewed ID token names another subject, issuer or client. */
  | 'identity-changed'
  /** The configured staff rule changed since sign-in. */
  | 'rule-changed'

/** Deleted ids. The database also deletes handles, and moves tokens of single sign-on to `ended_token`. */
type Ids = Promise<readonly string[]>

type Where = ExpressionBuilder<Tables, 'session'>

export const deleteSession = (db: Kysely<Tables>, id: string, why: WhyEnded): Ids =>
  deleteTold(db, (row) => row('id', '=', id), why)

export const deleteSessionsOf = (db: Kysely<Tables>, actor: string, except: string | null, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row.and([row('actor', '=', actor), ...(except === null ? [] : [row('id', '!=', except)])]),
    why,
  )

export const deleteSessionsByIdpSid = (db: Kysely<Tables>, sid: string, why: WhyEnded): Ids =>
  deleteTold(db, (row) => row('idp_sid', '=', sid), why)

export const deleteSessionsByIdpSubject = (db: Kysely<Tables>, subject: string, why: WhyEnded): Ids =>
  deleteTold(db, (row) => row('idp_subject', '=', subject), why)

interface IdpSession {
  readonly idpSid: string | null
  readonly idpSubject: string | null
  readonly idTokenIssuedAt?: number | undefined
  readonly tokens: { readonly receivedAt: string }
}

/** Within the second of the ID token, the order of arrival decides. */
export async function isLoggedOut(db: Kysely<Tables>, session: IdpSession): Promise<boolean> {
  const { idpSid, idpSubject, idTokenIssuedAt, tokens } = session
  if (idTokenIssuedAt === undefined) return false
  const found = await db
    .selectFrom('logout_token')
    .select('jti')
    .where(({ or, and, eb }) =>
      and([
        or([eb('sid', '=', idpSid), and([eb('sid', 'is', null), eb('sub', '=', idpSubject)])]),
        eb('issued_at', '>=', idTokenIssuedAt),
        or([eb('issued_at', '>', idTokenIssuedAt), eb('arrived_at', '>=', tokens.receivedAt)]),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

export interface EndOfOther {
  readonly by: AuditedPerson
  readonly except: string
  readonly of: { readonly session: string } | { readonly userId: string }
  readonly reason: string
}

export const deleteSessionsOfOther = (db: Kysely<Tables>, { by, except, of, reason }: EndOfOther): Ids => {
  const which = (row: Where) =>
    row.and([row('id', '!=', except), 'session' in of ? row('id', '=', of.session) : row('user_id', '=', of.userId)])
  return deleteTold(db, which, 'ended-by-admin', {
    before: (trx) => keepEndedHandles(trx, which),
    entries: (rows) => endsOfOther(rows, by, reason),
  })
}

function endsOfOther(
  [first, ...more]: readonly SessionRow[],
  by: AuditedPerson,
  reason: string,
): readonly AuditEntry[] {
  if (first === undefined) return []
  const { user_id: userId, display_name: person } = first
  const facts = { person, userId, sessions: 1 + more.length, reason }
  return [{ by, kind: 'session.end-of-other', about: userId, facts }]
}

/** Lets {@link isEndedByAdmin} explain the end to a browser that still has the handle. */
async function keepEndedHandles(trx: Trx, which: Which): Promise<void> {
  const handles = trx
    .selectFrom('session_handle')
    .innerJoin('session', 'session.id', 'session_handle.session_id')
    .where('session.id', 'in', trx.selectFrom('session').select('id').where(which))
    .select((row) => ['session_handle.id_hash', row.val<WhyEnded>('ended-by-admin').as('why'), 'session.ends_at'])
  await trx
    .insertInto('ended_handle')
    .columns(['id_hash', 'why', 'kept_until'])
    .expression(handles)
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .execute()
}

export async function isEndedByAdmin(db: Kysely<Tables>, idHash: string): Promise<boolean> {
  const ended = await db.selectFrom('ended_handle').select('why').where('id_hash', '=', idHash).executeTakeFirst()
  return ended?.why === ('ended-by-admin' satisfies WhyEnded)
}

type Which = (row: Where) => ReturnType<Where['and']> | ReturnType<Where>

interface AlongWith {
  readonly before: (trx: Trx) => Promise<void>
  readonly entries: (rows: readonly SessionRow[]) => readonly AuditEntry[]
}

/** With the audit entries; if they fail, without: a failed record must not keep a session open. */
async function deleteTold(
  db: Kysely<Tables>,
  which: Which,
  why: WhyEnded | ((row: SessionRow) => WhyEnded),
  along?: AlongWith,
): Ids {
  const whyOf = typeof why === 'function' ? why : () => why
  const ended = (from: Kysely<Tables>) =>
    from
      .deleteFrom('session')
      .where((row) => which(row))
      .returningAll()
      .execute()
  try {
    return await inTransaction(db, async (trx) => {
      await along?.before(trx)
      const rows = await ended(trx)
      const entries = along?.entries(rows) ?? []
      await recordAudit(trx, ...rows.map((row) => endOfSession(row, whyOf(row))), ...entries)
      return rows.map(({ id }) => id)
    })
  } catch (error) {
    const rows = await ended(db)
    auditFailed('session.end', error)
    return rows.map(({ id }) => id)
  }
}

function endOfSession(row: SessionRow, why: WhyEnded): AuditEntry {
  const { actor, display_name: displayName, method, created_at: startedAt, last_active_at: lastActiveAt } = row
  const by = { actor, displayName, method }
  return why === 'signed-out'
    ? { by, kind: 'session.sign-out', facts: { startedAt } }
    : { by, kind: 'session.end', facts: { why, startedAt, lastActiveAt } }
}

/** Times are ISO 8601. */
interface Sweep {
  readonly ids: readonly string[]
  readonly now: string
  /** Sessions last active at or before this time are over. */
  readonly idleSince: string
}

/** Returns which of `ids` are alive. Also deletes expired rows. */
export async function sweepSessions(db: Kysely<Tables>, { ids, now, idleSince }: Sweep): Promise<ReadonlySet<string>> {
  const isOver = (row: Where) => row.or([row('ends_at', '<=', now), row('last_active_at', '<=', idleSince)])
  const found = await db
    .with('silent', (query) => query.deleteFrom('session_handle').where('answers_until', '<=', now))
    .with('tokens', (query) => query.deleteFrom('ended_token').where('kept_until', '<=', now))
    .with('handles', (query) => query.deleteFrom('ended_handle').where('kept_until', '<=', now))
    .with('logouts', (query) => query.deleteFrom('logout_token').where('kept_until', '<=', now))
    .selectFrom('session')
    .select((row) => ['id', isOver(row as unknown as Where).as('over')])
    .where((row) => row.or([sql<SqlBool>`id = ANY(${[...ids]})`, isOver(row as unknown as Where)]))
    .execute()
  const ended = found.some(({ over }) => over)
    ? await deleteTold(db, isOver, ({ ends_at }) => (ends_at <= now ? 'absolute' : 'idle'))
    : []
  const gone = new Set(ended)
  // When two processes sweep at once, the second deletes nothing, so `over` counts as well.
  return new Set(found.filter(({ id, over }) => !over && !gone.has(id)).map(({ id }) => id))
}
