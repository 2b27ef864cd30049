import { type Kysely, sql } from 'kysely'

/** The list of statements counts open lines; most lines are done or set aside. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX statement_line_unhandled ON statement_line (statement_id)
    WHERE command_id IS NULL AND set_aside_reason IS NULL`.execute(db)
}
