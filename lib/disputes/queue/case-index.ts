import 'server-only'
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { isPartyIn } from '#lib/commands/hidden-from-parties.ts'
import { errorName, log } from '#lib/config/log.ts'
import { type ThreadCase, timeKey } from '#lib/disputes/thread/thread.ts'
import { endClaims } from '#lib/disputes/workspace/workspace-tables.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type AdminView, type AgeId, ageKeys, ages } from './queue.ts'
import type { CaseCount } from './words.ts'

export type IndexedCase = Selectable<Tables['case_index']>

const REASON_CHARS = 240
/** A row has 13 parameters; PostgreSQL takes 65,535. */
const ROWS_A_STATEMENT = 500

/** Written by a clock that was ahead of the database's. */
const isAhead = sql<boolean>`case_index.seen_at >
  to_char(clock_timestamp() AT TIME ZONE 'UTC' + interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** `seenAt`: ISO 8601. The later read wins, in any order of writing. */
export async function indexCases(db: Kysely<Tables>, cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  // Sorted, so that two writers lock rows in the same order and cannot deadlock.
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
          .where(sql<boolean>`case_index.seen_at <= excluded.seen_at OR ${isAhead}`),
      )
      .execute()
  }
}

/** Without those that the index has already. */
async function changedAmong(db: Kysely<Tables>, cases: readonly ThreadCase[]): Promise<readonly ThreadCase[]> {
  const stored = await db
    .selectFrom('case_index')
    .select(['id_key', 'status', 'reason', 'resolved_at', 'outcome'])
    .where('id_key', 'in', sql<string>`(SELECT unnest(${cases.map(({ id }) => id.toLowerCase())}::text[]))`)
    .execute()
  const byKey = new Map(stored.map((row) => [row.id_key, row]))
  return cases.filter((found) => {
    const row = byKey.get(found.id.toLowerCase())
    return (
      row?.status !== found.status ||
      row.reason !== beginningOf(found.reason) ||
      row.resolved_at !== found.resolvedAt ||
      row.outcome !== found.resolutionOutcome
    )
  })
}

/** Without what the store cannot hold. */
export const beginningOf = (reason: string): string =>
  [...reason.toWellFormed().replaceAll('\0', '\ufffd')].slice(0, REASON_CHARS).join('')

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

/** After a complete sweep that began at `beganAt` (ISO 8601) and met `met` (ids in lower case). */
export async function dropUnseenSince(db: Kysely<Tables>, beganAt: string, met: Iterable<string>): Promise<void> {
  await sql`DELETE FROM case_index WHERE (seen_at < ${beganAt} OR ${isAhead})
    AND NOT EXISTS (SELECT FROM unnest(${[...met]}::text[]) AS met WHERE met = id_key)`.execute(db)
}

export const indexedCaseOf = (db: Kysely<Tables>, reference: string): Promise<{ readonly id: string } | undefined> =>
  db.selectFrom('case_index').select('id').where('reference', '=', reference).executeTakeFirst()

const othersWith = (db: Kysely<Tables>, partyId: string, exceptCaseId: string) =>
  db.selectFrom('case_index').where(isPartyIn(partyId)).where('id_key', '<>', exceptCaseId.toLowerCase())

export const casesWith = (
  db: Kysely<Tables>,
  partyId: string,
  { except, limit }: { readonly except: string; readonly limit: number },
): Promise<IndexedCase[]> =>
  othersWith(db, partyId, except).selectAll().orderBy('created_key', 'desc').orderBy('id_key').limit(limit).execute()

export const countCasesWith = (
  db: Kysely<Tables>,
  partyId: string,
  exceptCaseId: string,
): Promise<readonly CaseCount[]> =>
  othersWith(db, partyId, exceptCaseId)
    .select(({ fn }) => ['status', 'outcome', fn.countAll<number>().as('count')])
    .groupBy(['status', 'outcome'])
    .execute()

/** The service ignores `all` for others than admins. Only a case in which the caller is no party proves admin view. */
export function adminViewOf(userId: string, cases: readonly ThreadCase[]): AdminView {
  const caller = userId.toLowerCase()
  return cases.some((found) => !partiesOf(found).includes(caller)) ? 'proved' : 'not-proved'
}

/** In lower case. */
export const partiesOf = ({
  raisedByUserId,
  counterpartyUserId,
}: Pick<ThreadCase, 'raisedByUserId' | 'counterpartyUserId'>): readonly string[] => [
  raisedByUserId.toLowerCase(),
  counterpartyUserId.toLowerCase(),
]

/** `seenAt`: ISO 8601. Ends the claims of resolved cases. `onlyChanged` leaves `seen_at` of other cases. */
export async function upsertCases(
  cases: readonly ThreadCase[],
  seenAt: string,
  { onlyChanged = false }: { readonly onlyChanged?: boolean } = {},
): Promise<void> {
  if (cases.length === 0) return
  const db = await store()
  await indexCases(db, onlyChanged ? await changedAmong(db, cases) : cases, seenAt)
  const resolved = cases.flatMap(({ id, status }) => (status === 'RESOLVED' ? [id] : []))
  await endClaims(db, resolved)
}

/** Never rejects. */
export async function recordCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  await upsertCases(cases, seenAt).catch((error: unknown) =>
    log().error({ event: 'case-index', error: errorName(error) }),
  )
}

export async function countByStatus(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('case_count')
    .select(['status', sql<number>`sum(count)::bigint`.as('count')])
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

export const ageKind = (nowMs: number) => {
  const whens = ages.flatMap(({ id }) => {
    const { after } = ageKeys(id, nowMs)
    return after === null ? [] : [sql`WHEN created_key > ${after} THEN ${id}`]
  })
  return sql<AgeId>`CASE ${sql.join(whens, sql` `)} ELSE 'older' END`
}

/** Rows of `created_key`, `status` and `count`. Two move the younger part of a day that an age divides. */
export function countedByDay(nowMs: number): RawBuilder<unknown> {
  const borders = ages.flatMap(({ id }) => ageKeys(id, nowMs).after ?? [])
  return sql`(SELECT day AS created_key, status, count FROM case_count
    UNION ALL SELECT moved.created_key, status, moved.count FROM unnest(${borders}::text[]) AS border
      CROSS JOIN LATERAL (SELECT status, count(*) AS count FROM case_index
        WHERE created_key > border AND created_key < left(border, 10) || '~' GROUP BY status) AS younger
      CROSS JOIN LATERAL (VALUES (left(border, 10), -count), (left(border, 10) || '~', count)) AS moved (created_key, count))`
}

/** `version` counts the finished transactions of the database: it only grows and is the same for all processes. */
export async function latestInIndex(
  db: Kysely<Tables>,
): Promise<{ readonly arrival: number; readonly version: number }> {
  const { rows } = await sql<{ arrival: number | null; version: number }>`
    SELECT (SELECT max(arrival) FROM case_index) AS arrival,
      pg_snapshot_xmax(now)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(now)) AS version
    FROM pg_current_snapshot() AS now`.execute(db)
  return { arrival: rows[0]?.arrival ?? 0, version: rows[0]?.version ?? 0 }
}
