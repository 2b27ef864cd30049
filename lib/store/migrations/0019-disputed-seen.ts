import { type Kysely, sql } from 'kysely'

/** Few of the transactions that were seen are disputed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX state_seen_disputed ON state_seen (first_seen_at) WHERE state = 'DISPUTED'`.execute(db)
}
