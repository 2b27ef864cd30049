import { type Kysely, sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/append-only.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // An id is one id in capitals and small letters: here it stands in small ones.
  await sql`
    CREATE TABLE case_claim (
      case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), holder text NOT NULL, holder_name text NOT NULL,
      since text NOT NULL, command_id text NOT NULL REFERENCES command (id))`.execute(db)
  await sql`
    CREATE TABLE case_note (
      id text PRIMARY KEY REFERENCES command (id), case_id text NOT NULL CHECK (case_id = lower(case_id)),
      author text NOT NULL, author_name text NOT NULL, text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
      at text NOT NULL)`.execute(db)
  await sql`CREATE INDEX case_note_by_case ON case_note (case_id, at)`.execute(db)
  await makeAppendOnly(db, 'case_note')
  await sql`
    CREATE TABLE case_viewer (
      stream_id text PRIMARY KEY, case_id text NOT NULL CHECK (case_id = lower(case_id)), actor text NOT NULL,
      name text NOT NULL, ends_at double precision NOT NULL)`.execute(db)
  await sql`CREATE INDEX case_viewer_by_case ON case_viewer (case_id)`.execute(db)
  await sql`CREATE INDEX case_viewer_by_end ON case_viewer (ends_at)`.execute(db)
}
