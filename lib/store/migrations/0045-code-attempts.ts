import { type Kysely, sql } from 'kysely'

/** The codes that people gave within the last ten minutes, for the rate limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE code_attempt (actor text NOT NULL, at text NOT NULL)`.execute(db)
  await sql`CREATE INDEX code_attempt_by_actor ON code_attempt (actor, at)`.execute(db)
}
