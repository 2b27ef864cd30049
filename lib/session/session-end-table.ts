import 'server-only'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { inTransaction } from '#lib/store/in-transaction.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type AuditEntry, auditFailed, recordAudit } from './audit-trail.ts'
import type { WhyEnded } from './end-session.ts'
import type { SessionRow } from './vault/session-table.ts'

/** A deleted session takes its handles and its box with it. Each of these answers the ids of what was there. */
type Ids = Promise<readonly string[]>

type Where = ExpressionBuilder<Tables, 'session'>

export const deleteSession = (db: Kysely<Tables>, id: string, why: WhyEnded): Ids =>
  deleteTold(
    db,
    (row) => row('id', '=', id),
    () => why,
  )

/** All sessions of a person; `except` leaves one. */
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

/**
 * Deletes sessions and tells of it in the audit trail, both or neither. Where the trail cannot be written they end all the
 * same, and the log says that an entry is missing: nobody stays signed in for want of a record.
 */
async function deleteTold(
  db: Kysely<Tables>,
  which: (row: Where) => ReturnType<Where['and']> | ReturnType<Where>,
  whyOf: (row: SessionRow) => WhyEnded,
): Ids {
  const ended = (from: Kysely<Tables>) =>
    from
      .deleteFrom('session')
      .where((row) => which(row))
      .returningAll()
      .execute()
  try {
    return await inTransaction(db, async (trx) => {
      const rows = await ended(trx)
      await recordAudit(trx, ...rows.map((row) => endOfSession(row, whyOf(row))))
      return rows.map(({ id }) => id)
    })
  } catch (error) {
    const rows = await ended(db)
    auditFailed('session.end', error)
    return rows.map(({ id }) => id)
  }
}

/** How the audit trail tells of the end of a session. */
export function endOfSession(row: SessionRow, why: WhyEnded): AuditEntry {
  const { actor, display_name: displayName, method, created_at: startedAt, last_active_at: lastActiveAt } = row
  const by = { actor, displayName, method }
  return why === 'signed-out'
    ? { by, kind: 'session.sign-out', facts: { startedAt } }
    : { by, kind: 'session.end', facts: { why, startedAt, lastActiveAt } }
}

/** What decides whether a session lives, and which ones to ask about. Times are ISO 8601. */
interface Sweep {
  readonly ids: readonly string[]
  readonly now: string
  /** Sessions that were last active then, or earlier, are over. */
  readonly idleSince: string
}

/**
 * Deletes every session past its limits and every handle that answers no more, and says which of the sessions asked about
 * live on. One statement where nothing has ended.
 */
export async function sweepSessions(db: Kysely<Tables>, { ids, now, idleSince }: Sweep): Promise<ReadonlySet<string>> {
  const isOver = (row: Where) => row.or([row('ends_at', '<=', now), row('last_active_at', '<=', idleSince)])
  const found = await db
    .with('silent', (query) => query.deleteFrom('session_handle').where('answers_until', '<=', now))
    .selectFrom('session')
    .select((row) => ['id', isOver(row as unknown as Where).as('over')])
    .where((row) => row.or([sql<SqlBool>`id = ANY(${[...ids]})`, isOver(row as unknown as Where)]))
    .execute()
  const ended = found.some(({ over }) => over)
    ? await deleteTold(db, isOver, ({ ends_at }) => (ends_at <= now ? 'absolute' : 'idle'))
    : []
  const gone = new Set(ended)
  // Of two processes that sweep at once one deletes, and the other finds what is over gone already.
  return new Set(found.filter(({ id, over }) => !over && !gone.has(id)).map(({ id }) => id))
}
