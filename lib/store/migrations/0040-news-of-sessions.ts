import { type Kysely, sql } from 'kysely'

/** That a session has begun or ended is news to those who see everybody's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('sessions'); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news_of_all AFTER INSERT OR DELETE ON session
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_sessions()`.execute(db)
}
