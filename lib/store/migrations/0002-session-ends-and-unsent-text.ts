import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever is signed in while this runs counts as active now: an upgrade ends nobody's session.
  await sql`ALTER TABLE session ADD COLUMN last_active_at text`.execute(db)
  await sql`UPDATE session SET last_active_at = ${new Date().toISOString()}`.execute(db)
  await sql`ALTER TABLE session ALTER COLUMN last_active_at SET NOT NULL`.execute(db)
  await sql`ALTER TABLE session ADD COLUMN user_agent text NOT NULL DEFAULT ''`.execute(db)
  await sql`ALTER TABLE session ADD COLUMN idp_sid text, ADD COLUMN idp_subject text`.execute(db)
  await sql`CREATE INDEX session_idp_sid ON session (idp_sid)`.execute(db)
  await sql`CREATE INDEX session_idp_subject ON session (idp_subject)`.execute(db)
  await sql`ALTER TABLE session_handle ADD COLUMN answers_until text`.execute(db)
  await sql`
    CREATE TABLE text_draft (
      owner text NOT NULL, place text NOT NULL, text text NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
      updated_at text NOT NULL, PRIMARY KEY (owner, place))`.execute(db)
  await sql`CREATE INDEX text_draft_by_age ON text_draft (owner, updated_at)`.execute(db)
}
