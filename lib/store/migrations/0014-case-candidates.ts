import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE case_candidate (actor text PRIMARY KEY, name text NOT NULL, known_at text NOT NULL)`.execute(
    db,
  )
  await sql`CREATE INDEX case_candidate_by_time ON case_candidate (known_at)`.execute(db)
}
