import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE log_head ADD COLUMN cosigned_received double precision NOT NULL DEFAULT 0`.execute(db)
  await sql`UPDATE log_head SET cosigned_received = cosigned_at`.execute(db)
}
