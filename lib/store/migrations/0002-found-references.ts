import { type Kysely, sql } from 'kysely'

/** References that the text of a line names exactly, accepted together, are not counted as entered by hand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE entered_reference ADD COLUMN found boolean NOT NULL DEFAULT false`.execute(db)
  await sql`ALTER TABLE statement_line DROP CONSTRAINT statement_line_sought_from_check`.execute(db)
  await sql`
    ALTER TABLE statement_line ADD CONSTRAINT statement_line_sought_from_check
      CHECK (sought_from IN ('field', 'text', 'found', 'hand'))`.execute(db)
}
