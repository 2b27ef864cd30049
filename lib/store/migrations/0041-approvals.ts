import { type Kysely, sql } from 'kysely'

/**
 * Changes that wait for the approval of others, and what these decided: neither is ever altered. Times are seconds since 1970 by
 * the database's clock. That a change begins or ceases to wait, or is decided about, is news to all who may decide.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approval_request (
      command_id text PRIMARY KEY REFERENCES command (id), asked_at double precision NOT NULL,
      expires_at double precision NOT NULL, reason text NOT NULL, approvals integer NOT NULL CHECK (approvals > 0),
      scopes text NOT NULL)`.execute(db)
  await sql`
    CREATE TABLE approval (
      command_id text NOT NULL REFERENCES approval_request (command_id), actor text NOT NULL, actor_name text NOT NULL,
      approves boolean NOT NULL, effect text NOT NULL, reason text NOT NULL, at double precision NOT NULL,
      PRIMARY KEY (command_id, actor))`.execute(db)
  for (const table of ['approval_request', 'approval']) {
    await sql`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
  }
  await sql`
    CREATE FUNCTION news_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('approvals'); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news_of_approval AFTER UPDATE ON command FOR EACH ROW
    WHEN (NEW.state = 'awaiting_approval' OR OLD.state = 'awaiting_approval')
    EXECUTE FUNCTION news_of_approval()`.execute(db)
}
