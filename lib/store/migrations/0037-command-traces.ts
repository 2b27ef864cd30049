import { type Kysely, sql } from 'kysely'

/** A command keeps the span that its trace begins with, so that later looks at it, by other processes too, join that trace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE command ADD COLUMN traceparent text`.execute(db)
}
