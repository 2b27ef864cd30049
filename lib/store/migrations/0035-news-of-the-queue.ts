import { type Kysely, sql } from 'kysely'

/**
 * That the index of cases holds something else is news of the queue: once a statement, since a sweep writes a hundred cases at a
 * time. That a case was read again as it was is none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_queue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM moved) THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE FUNCTION news_of_changed_queue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT 1 FROM was JOIN moved USING (id_key)
        WHERE (was.status, was.reason, was.resolved_at, was.outcome)
          IS DISTINCT FROM (moved.status, moved.reason, moved.resolved_at, moved.outcome)
      ) THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER news_of_new AFTER INSERT ON case_index REFERENCING NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_queue()`.execute(db)
  await sql`
    CREATE TRIGGER news_of_gone AFTER DELETE ON case_index REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_queue()`.execute(db)
  await sql`
    CREATE TRIGGER news_of_change AFTER UPDATE ON case_index REFERENCING OLD TABLE AS was NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_changed_queue()`.execute(db)
}
