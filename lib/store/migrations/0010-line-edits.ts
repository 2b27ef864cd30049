import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE statement_line
      ADD COLUMN edit_id text REFERENCES command (id),
      ADD COLUMN sought_edit_id text REFERENCES command (id),
      ADD COLUMN bank_edit_id text REFERENCES command (id)`.execute(db)
}
