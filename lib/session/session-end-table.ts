import 'server-only'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { inTransaction } from '#lib/store/transaction.ts'
import { type AuditEntry, type AuditedPerson, auditFailed, recordAudit } from './audit-trail.ts'
import type { WhyEnded } from './end-session.ts'
import type { SessionRow } from './vault/session-table.ts'

/**
 * Deleted ids. The database deletes the handles too, and keeps tokens of single sign-on in `ended_token` for
 * revocation.
 */
type Ids = Promise<readonly string[]>

type Where = ExpressionBuilder<Tables, 'session'>

export const deleteSession = (db: Kysely<Tables>, id: string, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row('id', '=', id),
    () => why,
  )

export const deleteSessionsOf = (db: Kysely<Tables>, actor: string, except: string | null, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row.and([row('actor', '=', actor), ...(except === null ? [] : [row('id', '!=', except)])]),
    () => why,
  )

export const deleteSessionsByIdpSid = (db: Kysely<Tables>, sid: string, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row('idp_sid', '=', sid),
    () => why,
  )

export const deleteSessionsByIdpSubject = (db: Kysely<Tables>, subject: string, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row('idp_subject', '=', subject),
    () => why,
  )

export interface EndOfOther {
  readonly by: AuditedPerson
  readonly except: string
  readonly of: { readonly session: string } | { readonly userId: string }
  readonly reason: string
}

export const deleteSessionsOfOther = (db: Kysely<Tables>, { by, except, of, reason }: EndOfOther): Ids => {
  const which = (row: Where) =>
    row.and([row('id', '!=', except), 'session' in of ? row('id', '=', of.session) : row('user_id', '=', of.userId)])
  return deleteTold(db, which, () => 'ended-by-admin', {
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

/**
 * One transaction with the audit entries. If it fails, the sessions end without entries: a failed record must not keep
 * a session open.
 */
async function deleteTold(
  db: Kysely<Tables>,
  which: Which,
  whyOf: (row: SessionRow) => WhyEnded,
  along?: AlongWith,
): Ids {
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

export function endOfSession(row: SessionRow, why: WhyEnded): AuditEntry {
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

/** Returns which of `ids` are alive. Also deletes expired rows of ended sessions. */
export async function sweepSessions(db: Kysely<Tables>, { ids, now, idleSince }: Sweep): Promise<ReadonlySet<string>> {
  const isOver = (row: Where) => row.or([row('ends_at', '<=', now), row('last_active_at', '<=', idleSince)])
  const found = await db
    .with('silent', (query) => query.deleteFrom('session_handle').where('answers_until', '<=', now))
    .with('tokens', (query) => query.deleteFrom('ended_token').where('kept_until', '<=', now))
    .with('handles', (query) => query.deleteFrom('ended_handle').where('kept_until', '<=', now))
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
