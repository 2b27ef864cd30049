import { type Kysely, sql } from 'kysely'

/** What people did beside changes. The database itself keeps each row for 400 days, and lets none be changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE audit_entry (
      id text PRIMARY KEY, at text NOT NULL, kind text NOT NULL, actor text NOT NULL, actor_name text NOT NULL,
      method text, about text NOT NULL, facts text NOT NULL)`.execute(db)
  await sql`CREATE INDEX audit_entry_by_time ON audit_entry (at DESC, id DESC)`.execute(db)
  await sql`CREATE INDEX audit_entry_by_actor_time ON audit_entry (actor, at DESC, id DESC)`.execute(db)
  // Who has signed in here under a name.
  await sql`
    CREATE INDEX audit_entry_by_name ON audit_entry (lower(actor_name), actor) WHERE kind = 'session.sign-in'`.execute(
    db,
  )
  await sql`
    CREATE FUNCTION audit_kept_since() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT to_char((now() - interval '400 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`.execute(db)
  await sql`
    CREATE FUNCTION refuse_early_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at < audit_kept_since() THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% is kept for 400 days: DELETE is refused', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER kept BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_early_delete()`.execute(db)
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
}
