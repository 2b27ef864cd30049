import { type Kysely, sql } from 'kysely'

/** The day of return of each absent colleague. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE absence (
      actor text PRIMARY KEY, until text NOT NULL, command_id text NOT NULL REFERENCES command (id))`.execute(db)
  await sql`
    CREATE FUNCTION news_of_absence() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO news (key) VALUES ('queue'); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON absence
    FOR EACH ROW EXECUTE FUNCTION news_of_absence()`.execute(db)
}
