import { type Kysely, sql } from 'kysely'

/** The queue filters and sorts by the last message of each case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE case_thread ADD COLUMN last_key text COLLATE "C", ADD COLUMN last_author text`.execute(db)
  await sql`
    UPDATE case_thread SET last_key = last.order_key, last_author = last.author
    FROM (SELECT DISTINCT ON (case_id) * FROM case_message ORDER BY case_id, order_key DESC) AS last
    WHERE last.case_id = case_thread.case_id`.execute(db)
}
