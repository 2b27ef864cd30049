import { type Kysely, sql } from 'kysely'

/**
 * A change of which no effect shows needs attention until somebody handles it, or the same change is made again and takes
 * effect. Of the earlier ones only those that still hold a lock need it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE command ADD COLUMN handled_at text`.execute(db)
  await sql`
    UPDATE command SET handled_at = coalesce(settled_at, created_at) WHERE state = 'not_applied'
      AND NOT EXISTS (SELECT FROM command_lock WHERE command_id = command.id AND for_ever)`.execute(db)
  await sql`
    CREATE INDEX command_unhandled ON command (created_at) WHERE state = 'not_applied' AND handled_at IS NULL`.execute(
    db,
  )
  await sql`
    CREATE OR REPLACE FUNCTION news_of_command() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) VALUES ('command:' || NEW.id), ('commands'), ('sent-by:' || NEW.actor);
      IF NEW.state IN ('unknown', 'accepted') OR NEW.late_at IS NOT NULL OR (TG_OP = 'UPDATE'
        AND (OLD.state IN ('unknown', 'accepted') OR OLD.handled_at IS DISTINCT FROM NEW.handled_at)) THEN
        INSERT INTO news (key) VALUES ('open-changes');
      END IF;
      RETURN NULL;
    END $$`.execute(db)
}
