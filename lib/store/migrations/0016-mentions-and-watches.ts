import { type Kysely, sql } from 'kysely'

/** Whom internal notes mention, and who watches a case, with what each has seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_mention (
      note_id text NOT NULL REFERENCES case_note (id), case_id text NOT NULL CHECK (case_id = lower(case_id)),
      actor text NOT NULL, name text NOT NULL, seen_at text, PRIMARY KEY (note_id, actor))`.execute(db)
  await sql`CREATE INDEX case_mention_by_case ON case_mention (case_id)`.execute(db)
  await sql`CREATE INDEX case_mention_unseen ON case_mention (actor, case_id) WHERE seen_at IS NULL`.execute(db)
  await sql`
    CREATE TABLE case_watch (
      actor text NOT NULL, case_id text NOT NULL CHECK (case_id = lower(case_id)),
      command_id text NOT NULL REFERENCES command (id), seen_holder text NOT NULL, seen_notes integer NOT NULL,
      PRIMARY KEY (actor, case_id))`.execute(db)
  await sql`CREATE INDEX case_watch_by_case ON case_watch (case_id)`.execute(db)
  await sql`
    CREATE FUNCTION news_of_notice() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE changed record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      BEGIN
        INSERT INTO news (key) VALUES ('person:' || changed.actor), ('case:' || changed.case_id);
        RETURN NULL;
      END $$`.execute(db)
  for (const table of ['case_mention', 'case_watch']) {
    await sql`
      CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)}
      FOR EACH ROW EXECUTE FUNCTION news_of_notice()`.execute(db)
  }
}
