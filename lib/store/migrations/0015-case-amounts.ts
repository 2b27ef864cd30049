import { type Kysely, sql } from 'kysely'

/** Amounts of disputed transactions as they were read, for filters and orders of the case list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE case_amount (reference text PRIMARY KEY, amount numeric, read_at timestamptz NOT NULL)`.execute(
    db,
  )
}
