import { type Kysely, sql } from 'kysely'

/** Deposits that a person over their limit handed to a colleague. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE known_person ADD COLUMN name text NOT NULL DEFAULT ''`.execute(db)
  await sql`
    CREATE TABLE hand_over (
      reference text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), from_actor text NOT NULL,
      from_name text NOT NULL, to_actor text NOT NULL, to_name text NOT NULL, amount text NOT NULL,
      bank_reference text NOT NULL, statement_amount text NOT NULL, reason text NOT NULL, at text NOT NULL,
      handed_back_at text)`.execute(db)
  await sql`CREATE INDEX hand_over_to ON hand_over (to_actor)`.execute(db)
  await sql`CREATE INDEX hand_over_from ON hand_over (from_actor)`.execute(db)
  await sql`
    CREATE FUNCTION news_of_hand_over() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          INSERT INTO news (key) VALUES ('hand-overs:' || OLD.to_actor), ('hand-overs:' || OLD.from_actor);
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO news (key) VALUES ('hand-overs:' || NEW.to_actor), ('hand-overs:' || NEW.from_actor);
        END IF;
        RETURN NULL;
      END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON hand_over
    FOR EACH ROW EXECUTE FUNCTION news_of_hand_over()`.execute(db)
}
