import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE statement ADD COLUMN discarded_at text, ADD COLUMN discarded_by text`.execute(db)
  await sql`CREATE INDEX statement_discarded ON statement (discarded_at) WHERE discarded_at IS NOT NULL`.execute(db)
}
