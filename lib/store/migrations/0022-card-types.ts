import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE card_type_seen (card_type integer PRIMARY KEY, name text NOT NULL)`.execute(db)
  // As the service named them last.
  await sql`
    INSERT INTO card_type_seen (card_type, name)
    SELECT DISTINCT ON (card_type) card_type, card_type_name FROM issued_card
    WHERE card_type_name <> '' ORDER BY card_type, recorded_at DESC`.execute(db)
}
