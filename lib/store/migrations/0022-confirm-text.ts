import { type Kysely, sql } from 'kysely'

/** What people were shown for confirmation stays as it was, whatever later builds say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE command ADD COLUMN confirm_text text`.execute(db)
}
