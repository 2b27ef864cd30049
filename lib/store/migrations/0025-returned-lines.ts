import { type Kysely, sql } from 'kysely'

/** Which return of which statement set a line aside, and what a repeated line's own file says of a return. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE statement_line ADD COLUMN returned text NOT NULL DEFAULT '', ADD COLUMN returned_statement text,
      ADD COLUMN returned_key text`.execute(db)
  await sql`CREATE INDEX statement_line_by_return ON statement_line (returned_key) WHERE returned_key IS NOT NULL`.execute(
    db,
  )
  await sql`
    CREATE INDEX statement_line_returned_by ON statement_line (returned_statement) WHERE returned_statement IS NOT NULL`.execute(
    db,
  )
  await sql`CREATE INDEX statement_line_seen_in ON statement_line (seen_statement) WHERE seen_statement IS NOT NULL`.execute(
    db,
  )
}
