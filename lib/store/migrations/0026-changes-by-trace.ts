import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX command_by_trace ON command (trace_id) WHERE trace_id IS NOT NULL`.execute(db)
}
