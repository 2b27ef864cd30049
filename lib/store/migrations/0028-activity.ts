import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Activity, page by page: everybody's, and a person's own.
  await sql`CREATE INDEX command_by_time ON command (coalesce(sent_at, created_at) DESC, id DESC)`.execute(db)
  await sql`CREATE INDEX command_by_actor_time ON command (actor, coalesce(sent_at, created_at) DESC, id DESC)`.execute(
    db,
  )
  // What came of the latest check of the journal's chain.
  await sql`
    CREATE TABLE journal_check (
      one integer PRIMARY KEY CHECK (one = 1), at text NOT NULL, by_name text NOT NULL, events bigint NOT NULL,
      end_mac text NOT NULL, faults text NOT NULL)`.execute(db)
}
