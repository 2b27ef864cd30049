import { type Kysely, sql } from 'kysely'

/**
 * Where a session signed in from, and by which claim its person administers. What is left of sessions that have ended: tokens
 * that go back to the identity provider, and what their browsers are told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE session ADD COLUMN address text, ADD COLUMN admin_rule text`.execute(db)
  await sql`CREATE TABLE ended_token (session_id text PRIMARY KEY, box text NOT NULL, kept_until text NOT NULL)`.execute(
    db,
  )
  await sql`CREATE INDEX ended_token_by_end ON ended_token (kept_until)`.execute(db)
  // The database itself keeps them, so that no way of ending a session forgets it. A password has no provider to tell.
  await sql`
    CREATE FUNCTION keep_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ended_token (session_id, box, kept_until) VALUES (OLD.id, OLD.box,
        to_char((now() + interval '10 minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER keep_token AFTER DELETE ON session
    FOR EACH ROW WHEN (OLD.method = 'sso') EXECUTE FUNCTION keep_ended_token()`.execute(db)
  await sql`CREATE TABLE ended_handle (id_hash text PRIMARY KEY, why text NOT NULL, kept_until text NOT NULL)`.execute(
    db,
  )
  await sql`CREATE INDEX ended_handle_by_end ON ended_handle (kept_until)`.execute(db)
}
