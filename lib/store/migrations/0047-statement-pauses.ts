import { type Kysely, sql } from 'kysely'

/** Until when the service asks work on a statement to wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE statement ADD COLUMN work_paused_until text`.execute(db)
}
