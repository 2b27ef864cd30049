import { type Kysely, sql } from 'kysely'

/** Approvers may read what is new, and then decline what they approved. Earlier requests are found by lock key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE approval_request ADD COLUMN reread boolean NOT NULL DEFAULT false`.execute(db)
  await sql`ALTER TABLE approval DROP CONSTRAINT approval_pkey, ADD PRIMARY KEY (command_id, actor, approves)`.execute(
    db,
  )
  await sql`CREATE INDEX approval_request_keys ON approval_request USING gin (keys) WITH (fastupdate = off)`.execute(db)
}
