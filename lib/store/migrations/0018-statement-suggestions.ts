import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE statement_suggestion (
      statement_id text NOT NULL, number integer NOT NULL, reference text NOT NULL,
      found_in text NOT NULL CHECK (found_in IN ('field', 'text')), state text NOT NULL, debit text NOT NULL,
      PRIMARY KEY (statement_id, number, reference),
      FOREIGN KEY (statement_id, number) REFERENCES statement_line (statement_id, number) ON DELETE CASCADE)`.execute(
    db,
  )
  // References that differ in spaces and case only.
  await sql`CREATE INDEX state_seen_folded ON state_seen (lower(replace(reference, ' ', '')))`.execute(db)
  // What was recognised in a text matched by itself; from now on a person accepts it.
  await sql`
    UPDATE statement_line SET sought = reference, sought_from = 'field', verdict = 'unread',
      found_state = NULL, found_debit = NULL, found_credit = NULL, looked_at = NULL
    WHERE sought_from = 'text' AND command_id IS NULL`.execute(db)
}
