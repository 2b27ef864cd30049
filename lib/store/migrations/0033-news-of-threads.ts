import { type Kysely, sql } from 'kysely'

/** That a thread has been read for the first time, or who paid has become known, is news of its case: it may hold no message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_thread() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('case:' || NEW.case_id); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news_of_new AFTER INSERT ON case_thread FOR EACH ROW EXECUTE FUNCTION news_of_thread()`.execute(db)
  await sql`
    CREATE TRIGGER news_of_change AFTER UPDATE ON case_thread FOR EACH ROW
    WHEN ((OLD.read_at > 0) <> (NEW.read_at > 0) OR OLD.payer IS DISTINCT FROM NEW.payer)
    EXECUTE FUNCTION news_of_thread()`.execute(db)
}
