import { type Kysely, sql } from 'kysely'

/** That a session has begun or ended is news to those who see everybody's: once a statement, and none where it met no session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM moved) THEN INSERT INTO news (key) VALUES ('sessions'); END IF;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER news_of_new AFTER INSERT ON session REFERENCING NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_sessions()`.execute(db)
  await sql`
    CREATE TRIGGER news_of_gone AFTER DELETE ON session REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_sessions()`.execute(db)
}
