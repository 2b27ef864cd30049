import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE console_process (boot_id text PRIMARY KEY, beat_at double precision NOT NULL)`.execute(db)
  await sql`ALTER TABLE command ADD COLUMN batch text`.execute(db)
  await sql`CREATE INDEX command_by_actor ON command (actor, created_at)`.execute(db)
}
