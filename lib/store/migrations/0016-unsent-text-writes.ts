import { type Kysely, sql } from 'kysely'

/** Which write of which page a kept text is of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE text_draft ADD COLUMN write_page text NOT NULL DEFAULT '', ADD COLUMN write_number integer NOT NULL DEFAULT 0
  `.execute(db)
}
