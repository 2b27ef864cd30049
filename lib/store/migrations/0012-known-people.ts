import { type Kysely, sql } from 'kysely'

/** Scopes as each person's own session last read them, to judge whether a change can be approved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE known_person (
      actor text PRIMARY KEY, scopes text NOT NULL, administers boolean NOT NULL, known_at text NOT NULL)`.execute(db)
  await sql`CREATE INDEX audit_entry_sign_in ON audit_entry (at) WHERE kind = 'session.sign-in'`.execute(db)
}
