import { type Kysely, sql } from 'kysely'

/** Texts that staff share for messages, notes and reasons. A removed one keeps its row, so that it can be put back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE snippet (
      id text PRIMARY KEY,
      name text NOT NULL,
      name_key text NOT NULL,
      text text NOT NULL,
      changed_by text NOT NULL,
      changed_by_name text NOT NULL,
      changed_at text NOT NULL,
      removed_at text
    )`.execute(db)
  await sql`CREATE UNIQUE INDEX snippet_by_name ON snippet (name_key) WHERE removed_at IS NULL`.execute(db)
}
