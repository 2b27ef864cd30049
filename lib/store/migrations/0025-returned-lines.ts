import { type Kysely, sql } from 'kysely'

/** Which return of which statement set a line aside, and what a repeated line's own file says of a return. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE statement_line
      ADD COLUMN returned text NOT NULL DEFAULT '',
      ADD COLUMN returned_statement text,
      ADD COLUMN returned_key text`.execute(db)
  await indexLinesBy(db, 'returned_key')
  await indexLinesBy(db, 'returned_statement')
  await indexLinesBy(db, 'seen_statement')
}

/** Few lines have a value. */
async function indexLinesBy(db: Kysely<unknown>, column: string): Promise<void> {
  await sql`
    CREATE INDEX ${sql.id(`statement_line_by_${column}`)} ON statement_line (${sql.id(column)})
    WHERE ${sql.id(column)} IS NOT NULL`.execute(db)
}
