import { type Kysely, sql } from 'kysely'

/** Lines of before have no account, so they match any; those with a bank reference have another fingerprint by now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['account', 'value_date', 'payer_name', 'payer_account']) {
    await sql`ALTER TABLE statement_line ADD COLUMN ${sql.id(column)} text NOT NULL DEFAULT ''`.execute(db)
  }
  await sql`
    CREATE TABLE statement_file (
      statement_id text PRIMARY KEY REFERENCES statement (id) ON DELETE CASCADE, bytes bytea NOT NULL)`.execute(db)
  // Payments that went back are found by their amount.
  await sql`CREATE INDEX statement_line_by_amount ON statement_line ((amount::numeric))`.execute(db)
}
