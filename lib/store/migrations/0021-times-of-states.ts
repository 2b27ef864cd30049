import { type Kysely, sql } from 'kysely'

/** Since when a transaction was in a state, by the service's own telling; null where it does not tell. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE state_seen ADD COLUMN since text`.execute(db)
}
