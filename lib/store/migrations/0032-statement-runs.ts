import { type Kysely, sql } from 'kysely'

/** How often work was begun on a statement: a short run is over before it is told, and may end as the one before it did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE statement ADD COLUMN work_runs integer NOT NULL DEFAULT 0`.execute(db)
}
