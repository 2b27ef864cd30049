import { type Kysely, sql } from 'kysely'

/** The lock keys of each change that waits, so that one effect has one open request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE approval_request ADD COLUMN keys text[] NOT NULL DEFAULT '{}'`.execute(db)
}
