import { type Kysely, sql } from 'kysely'

/**
 * Makes the database itself refuse UPDATE, DELETE and TRUNCATE on a table, whoever asks.
 * Only the owner of the table gets rid of a row: by dropping the table, or by turning this guard off.
 */
export async function makeAppendOnly<Tables>(db: Kysely<Tables>, table: string): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
}
