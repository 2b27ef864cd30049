import { type Kysely, sql } from 'kysely'

/**
 * Most changes begin and end well within a second: that is news to who sent them, and to nobody else's Home. News to all is
 * a change whose end is not known, or whose effect showed late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION news_of_command() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) VALUES ('command:' || NEW.id), ('commands'), ('sent-by:' || NEW.actor);
      IF NEW.state IN ('unknown', 'accepted') OR NEW.late_at IS NOT NULL
        OR (TG_OP = 'UPDATE' AND OLD.state IN ('unknown', 'accepted')) THEN
        INSERT INTO news (key) VALUES ('open-changes');
      END IF;
      RETURN NULL;
    END $$`.execute(db)
}
