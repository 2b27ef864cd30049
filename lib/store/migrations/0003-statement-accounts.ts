import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE statement ADD COLUMN accounts text NOT NULL DEFAULT '[]'`.execute(db)
}
