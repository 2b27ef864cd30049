import { type Kysely, sql } from 'kysely'

/** Until when a party is asked to answer; a snoozed case wakes then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE answer_deadline (
      case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), until text NOT NULL, asked_at text NOT NULL,
      after_key text COLLATE "C" NOT NULL, command_id text NOT NULL REFERENCES command (id))`.execute(db)
  await sql`ALTER TABLE case_snooze ADD COLUMN wake_at text`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON answer_deadline
    FOR EACH ROW EXECUTE FUNCTION news_of_listed_case()`.execute(db)
}
