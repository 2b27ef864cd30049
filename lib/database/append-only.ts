import { type Kysely, sql } from 'kysely'

/** Only the table's owner can drop the table or disable the trigger. */
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
