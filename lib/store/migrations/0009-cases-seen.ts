import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Keys are ids in small letters: an id is one id however its letters are written.
  await sql`
    CREATE TABLE case_seen (
      id_key text PRIMARY KEY, id text NOT NULL, reference text NOT NULL,
      raised_by text NOT NULL, counterparty text NOT NULL, status text NOT NULL, created_at text NOT NULL,
      resolved_at text, outcome text, resolved_by text,
      first_seen_at text NOT NULL, last_seen_at text NOT NULL)`.execute(db)
  await sql`CREATE INDEX case_seen_by_raiser ON case_seen (lower(raised_by))`.execute(db)
  await sql`CREATE INDEX case_seen_by_counterparty ON case_seen (lower(counterparty))`.execute(db)
}
