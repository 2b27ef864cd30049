import 'server-only'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

export type CaseSeenRow = Selectable<Tables['case_seen']>
export type SeenCase = Omit<Insertable<Tables['case_seen']>, 'id_key' | 'first_seen_at' | 'last_seen_at'>

/** Twelve parameters each, and a statement takes 65,535. */
const ROWS_A_STATEMENT = 500
/** A case that is as it was is not written again within this time. */
const SEEN_AGAIN_AFTER_MS = 600_000

const lowerRaisedBy = sql<string>`lower(raised_by)`
const lowerCounterparty = sql<string>`lower(counterparty)`

/**
 * Keeps what was read of cases at `seenAt` (ISO 8601). What was read later stays, whoever comes last.
 */
export async function rememberCases(db: Kysely<Tables>, cases: readonly SeenCase[], seenAt: string): Promise<void> {
  // Everyone takes the rows in the same order, so that two who write the same ones do not wait for each other for ever.
  const byKey = new Map(cases.map((seen) => [seen.id.toLowerCase(), seen]))
  const rows = [...byKey]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id_key, seen]) => ({ ...seen, id_key, first_seen_at: seenAt, last_seen_at: seenAt }))
  const longAgo = new Date(Date.parse(seenAt) - SEEN_AGAIN_AFTER_MS).toISOString()
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await db
      .insertInto('case_seen')
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict
          .column('id_key')
          .doUpdateSet(({ ref }) => ({
            status: ref('excluded.status'),
            resolved_at: ref('excluded.resolved_at'),
            outcome: ref('excluded.outcome'),
            resolved_by: ref('excluded.resolved_by'),
            last_seen_at: ref('excluded.last_seen_at'),
          }))
          .whereRef('case_seen.last_seen_at', '<=', 'excluded.last_seen_at')
          .where(({ eb, or, ref }) =>
            or([
              eb('case_seen.status', '<>', ref('excluded.status')),
              eb('case_seen.outcome', 'is distinct from', ref('excluded.outcome')),
              eb('case_seen.resolved_at', 'is distinct from', ref('excluded.resolved_at')),
              eb('case_seen.last_seen_at', '<', longAgo),
            ]),
          ),
      )
      .execute()
  }
}

/** Cases of a party as far as this console has seen them, newest first, without one of them. */
export function casesWith(
  db: Kysely<Tables>,
  partyId: string,
  { except, limit }: { readonly except: string; readonly limit: number },
): Promise<CaseSeenRow[]> {
  const party = partyId.toLowerCase()
  return db
    .selectFrom('case_seen')
    .selectAll()
    .where(({ or, eb }) => or([eb(lowerRaisedBy, '=', party), eb(lowerCounterparty, '=', party)]))
    .where('id_key', '<>', except.toLowerCase())
    .orderBy('created_at', 'desc')
    .orderBy('id_key')
    .limit(limit)
    .execute()
}

/** The ids of cases about a transaction as far as this console has seen them. */
export async function findSeenCases(db: Kysely<Tables>, reference: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('case_seen')
    .select('id')
    .where('reference', '=', reference)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
