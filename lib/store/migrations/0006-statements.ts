import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE statement (
      id text PRIMARY KEY, owner text NOT NULL, owner_name text NOT NULL,
      file_name text NOT NULL CHECK (length(file_name) <= 200), digest text NOT NULL UNIQUE,
      format text NOT NULL, taken_at text NOT NULL, left_out integer NOT NULL,
      work text CHECK (work IN ('look', 'confirm')), work_token text, work_boot text, work_by text,
      work_until double precision, work_done integer NOT NULL DEFAULT 0, work_total integer NOT NULL DEFAULT 0,
      work_stop boolean NOT NULL DEFAULT false, work_ended text)`.execute(db)
  await sql`CREATE INDEX statement_by_time ON statement (taken_at)`.execute(db)
  await sql`
    CREATE TABLE statement_line (
      statement_id text NOT NULL REFERENCES statement (id) ON DELETE CASCADE, number integer NOT NULL,
      place integer NOT NULL, reference text NOT NULL, amount text NOT NULL, currency text NOT NULL,
      bank_reference text NOT NULL, booked_on text NOT NULL, text text NOT NULL, fingerprint text NOT NULL,
      seen_statement text, seen_number integer,
      sought text NOT NULL, sought_from text NOT NULL CHECK (sought_from IN ('field', 'text', 'hand')),
      bank_used text NOT NULL, bank_key text,
      verdict text NOT NULL CHECK (verdict IN ('unread', 'unknown', 'mismatched', 'ready')),
      found_state text, found_debit text, found_credit text, problem text, looked_at text, note text,
      parked_reason text, parked_by text, command_id text REFERENCES command (id),
      PRIMARY KEY (statement_id, number))`.execute(db)
  // By hash: a bank may write a longer text than an ordered index can hold.
  await sql`CREATE INDEX statement_line_by_sought ON statement_line USING hash (sought)`.execute(db)
  await sql`CREATE INDEX statement_line_by_bank_key ON statement_line USING hash (bank_key)`.execute(db)
  await sql`CREATE INDEX statement_line_by_fingerprint ON statement_line (fingerprint)`.execute(db)
  await sql`CREATE INDEX statement_line_by_command ON statement_line (command_id)`.execute(db)
  await sql`
    CREATE TABLE statement_mapping (
      owner text NOT NULL, columns_hash text NOT NULL, mapping text NOT NULL, used_at text NOT NULL,
      PRIMARY KEY (owner, columns_hash))`.execute(db)
}
