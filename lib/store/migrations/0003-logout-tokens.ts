import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE logout_token (jti text PRIMARY KEY, kept_until text NOT NULL)`.execute(db)
  await sql`CREATE INDEX logout_token_by_age ON logout_token (kept_until)`.execute(db)
}
