import { type Kysely, sql } from 'kysely'

/** Categories of the team's own, and the one of each case that was resolved here with one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_category (
      id text PRIMARY KEY, name text NOT NULL, name_key text NOT NULL UNIQUE, changed_by text NOT NULL,
      changed_by_name text NOT NULL, changed_at text NOT NULL, removed_at text)`.execute(db)
  await sql`
    CREATE TABLE case_decision (
      case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), category_id text NOT NULL REFERENCES case_category (id),
      command_id text NOT NULL UNIQUE REFERENCES command (id))`.execute(db)
  await sql`CREATE INDEX case_decision_by_category ON case_decision (category_id)`.execute(db)
  await sql`
    CREATE FUNCTION news_of_listed_case() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO news (key) VALUES
          ('case:' || CASE TG_OP WHEN 'DELETE' THEN OLD.case_id ELSE NEW.case_id END), ('queue');
        RETURN NULL;
      END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_decision
    FOR EACH ROW EXECUTE FUNCTION news_of_listed_case()`.execute(db)
}
