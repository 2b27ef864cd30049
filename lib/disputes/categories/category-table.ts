import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { type Category, type CategoryChoice, type CategoryUse, USE_DAYS } from './category.ts'

/** By name; includes retired ones. */
export async function listCategories(db: Kysely<Tables>): Promise<readonly Category[]> {
  const rows = await db.selectFrom('case_category').selectAll().orderBy('name_key').execute()
  return rows.map(({ id, name, changed_by_name: changedBy, changed_at: changedAt, removed_at }) => ({
    id,
    name,
    changedBy,
    changedAt,
    retired: removed_at !== null,
  }))
}

/** Those that a decision may have. */
export const offeredCategories = async (db: Kysely<Tables>): Promise<readonly CategoryChoice[]> =>
  (await listCategories(db)).flatMap(({ id, name, retired }) => (retired ? [] : [{ id, name }]))

export async function putDecision(
  trx: Trx,
  row: { readonly case_id: string; readonly category_id: string; readonly command_id: string },
): Promise<void> {
  const decided = { ...row, case_id: row.case_id.toLowerCase() }
  await trx
    .insertInto('case_decision')
    .values(decided)
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(decided))
    .execute()
}

/** Counts the journal: cases that were resolved elsewhere are not in it. */
export async function countUse(db: Kysely<Tables>, nowMs = Date.now()): Promise<readonly CategoryUse[]> {
  const since = new Date(nowMs - USE_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<CategoryUse>`
    SELECT category_id AS id,
      (count(*) FILTER (WHERE params::json ->> 'decision' = 'refund'))::int AS refunded,
      (count(*) FILTER (WHERE params::json ->> 'decision' = 'release'))::int AS released
    FROM command LEFT JOIN case_decision ON command_id = command.id
    WHERE kind = 'dispute.resolve' AND state IN ('done', 'applied') AND sent_at >= ${since}
    GROUP BY category_id`.execute(db)
  return rows
}
