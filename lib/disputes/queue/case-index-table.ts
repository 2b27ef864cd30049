import 'server-only'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { CaseCount } from './case-counts.ts'
import { timeKey } from './queue.ts'

export type IndexedCase = Selectable<Tables['case_index']>

/** Longer reasons are read in the case itself. */
const REASON_CHARS = 240
/** Thirteen parameters each, and a statement takes 65,535. */
const ROWS_A_STATEMENT = 500

/** Keeps what was read of cases at `seenAt` (ISO 8601). What was read later wins, in any order of writing. */
export async function indexCases(db: Kysely<Tables>, cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  // Everyone takes the rows in the same order, so that two who write the same ones do not wait for each other for ever.
  const byKey = new Map(cases.map((found) => [found.id.toLowerCase(), found]))
  const rows = [...byKey]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, found]) => rowOf(key, found, seenAt))
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await db
      .insertInto('case_index')
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict
          .column('id_key')
          .doUpdateSet(({ ref }) => ({
            status: ref('excluded.status'),
            reason: ref('excluded.reason'),
            resolved_at: ref('excluded.resolved_at'),
            resolved_key: ref('excluded.resolved_key'),
            outcome: ref('excluded.outcome'),
            seen_at: ref('excluded.seen_at'),
          }))
          .whereRef('case_index.seen_at', '<=', 'excluded.seen_at'),
      )
      .execute()
  }
}

export const beginningOf = (reason: string): string => [...reason].slice(0, REASON_CHARS).join('')

const rowOf = (id_key: string, found: ThreadCase, seen_at: string): Insertable<Tables['case_index']> => ({
  id_key,
  id: found.id,
  reference: found.referenceId,
  raised_by: found.raisedByUserId,
  counterparty: found.counterpartyUserId,
  status: found.status,
  reason: beginningOf(found.reason),
  created_at: found.createdAt,
  created_key: timeKey(found.createdAt),
  resolved_at: found.resolvedAt,
  resolved_key: timeKey(found.resolvedAt ?? ''),
  outcome: found.resolutionOutcome,
  seen_at,
})

/** Lets go of cases that were not read since then (ISO 8601): a complete sweep that began then did not meet them. */
export async function dropUnseenSince(db: Kysely<Tables>, beganAt: string): Promise<void> {
  await db.deleteFrom('case_index').where('seen_at', '<', beganAt).execute()
}

/** The case of a transaction; undefined when the index has none. */
export function indexedCaseOf(db: Kysely<Tables>, reference: string): Promise<{ readonly id: string } | undefined> {
  return db.selectFrom('case_index').select('id').where('reference', '=', reference).executeTakeFirst()
}

/** A person is a party of a case. The id in any case. */
export const isPartyIn = (userId: string) => {
  const party = userId.toLowerCase()
  return sql<boolean>`(lower(raised_by) = ${party} OR lower(counterparty) = ${party})`
}

/** Cases of a party, newest first, without one of them. */
export function casesWith(
  db: Kysely<Tables>,
  partyId: string,
  { except, limit }: { readonly except: string; readonly limit: number },
): Promise<IndexedCase[]> {
  return db
    .selectFrom('case_index')
    .selectAll()
    .where(isPartyIn(partyId))
    .where('id_key', '<>', except.toLowerCase())
    .orderBy('created_key', 'desc')
    .orderBy('id_key')
    .limit(limit)
    .execute()
}

/** How many cases of a party there are, by status and outcome, without one of them. */
export function countCasesWith(
  db: Kysely<Tables>,
  partyId: string,
  exceptCaseId: string,
): Promise<readonly CaseCount[]> {
  return db
    .selectFrom('case_index')
    .select(({ fn }) => ['status', 'outcome', fn.countAll<number>().as('count')])
    .where(isPartyIn(partyId))
    .where('id_key', '<>', exceptCaseId.toLowerCase())
    .groupBy(['status', 'outcome'])
    .execute()
}
