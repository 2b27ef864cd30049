import { type Kysely, sql } from 'kysely'

/**
 * What has changed, for those who follow it: a key, written by the database itself in the transaction of the change. `xact`
 * puts rows in an order in which none can be missed, in whatever order their transactions end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE news (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
      key text NOT NULL,
      at double precision NOT NULL DEFAULT extract(epoch FROM clock_timestamp()))`.execute(db)
  await sql`CREATE INDEX news_by_xact ON news (xact)`.execute(db)
  await sql`CREATE INDEX news_by_time ON news (at)`.execute(db)
  await newsOfSessionsAndChanges(db)
  await newsOfCases(db)
  await newsOfThreads(db)
  await newsOfStatements(db)
}

async function newsOfSessionsAndChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('session:' || NEW.id); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER UPDATE OF last_active_at ON session
    FOR EACH ROW EXECUTE FUNCTION news_of_session()`.execute(db)
  await sql`
    CREATE FUNCTION news_of_command() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('command:' || NEW.id), ('commands'); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE ON command
    FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION news_of_command()`.execute(db)
}

async function newsOfCases(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN INSERT INTO news (key) VALUES ('person:' || OLD.holder), ('case:' || OLD.case_id); END IF;
      IF TG_OP <> 'DELETE' THEN INSERT INTO news (key) VALUES ('person:' || NEW.holder), ('case:' || NEW.case_id); END IF;
      INSERT INTO news (key) VALUES ('queue');
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_claim
    FOR EACH ROW EXECUTE FUNCTION news_of_claim()`.execute(db)
  await sql`
    CREATE FUNCTION news_of_case() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) VALUES ('case:' || CASE TG_OP WHEN 'DELETE' THEN OLD.case_id ELSE NEW.case_id END);
      IF TG_TABLE_NAME = 'case_snooze' THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_snooze
    FOR EACH ROW EXECUTE FUNCTION news_of_case()`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT ON case_note FOR EACH ROW EXECUTE FUNCTION news_of_case()`.execute(db)
  // A renewal of who looks is no news.
  await sql`
    CREATE TRIGGER news AFTER INSERT OR DELETE ON case_viewer
    FOR EACH ROW EXECUTE FUNCTION news_of_case()`.execute(db)
}

async function newsOfThreads(db: Kysely<unknown>): Promise<void> {
  // A thread that is read for the first time brings many messages at once.
  await sql`
    CREATE FUNCTION news_of_messages() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) SELECT DISTINCT 'case:' || case_id FROM added;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT ON case_message REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_messages()`.execute(db)
  await sql`
    CREATE FUNCTION news_of_reader() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('person:' || NEW.actor); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER INSERT OR UPDATE ON case_reader
    FOR EACH ROW EXECUTE FUNCTION news_of_reader()`.execute(db)
}

async function newsOfStatements(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION news_of_statement() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('statement:' || NEW.id); RETURN NULL; END $$`.execute(db)
  await sql`
    CREATE TRIGGER news AFTER UPDATE ON statement FOR EACH ROW EXECUTE FUNCTION news_of_statement()`.execute(db)
}
