import { type Kysely, sql } from 'kysely'

/** Deposits that statement lines confirmed, by the payer's account under a keyed hash, and suggestions made from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE payer_payment (
      command_id text PRIMARY KEY REFERENCES command (id), payer text NOT NULL, wallet text NOT NULL, day text NOT NULL)`.execute(
    db,
  )
  await sql`CREATE INDEX payer_payment_by_payer ON payer_payment (payer)`.execute(db)
  await sql`ALTER TABLE statement_suggestion DROP CONSTRAINT statement_suggestion_found_in_check`.execute(db)
  await sql`
    ALTER TABLE statement_suggestion ADD COLUMN paid_count integer, ADD COLUMN paid_last text,
      ADD CONSTRAINT statement_suggestion_found_in_check CHECK (found_in IN ('field', 'text', 'payer'))`.execute(db)
  await sql`ALTER TABLE statement_line DROP CONSTRAINT statement_line_sought_from_check`.execute(db)
  await sql`
    ALTER TABLE statement_line ADD CONSTRAINT statement_line_sought_from_check
      CHECK (sought_from IN ('field', 'text', 'found', 'payer', 'hand'))`.execute(db)
}
