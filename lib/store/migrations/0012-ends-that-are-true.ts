import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A change whose effect did not show is looked at until then; one that showed an effect later bears when.
  await sql`ALTER TABLE command ADD COLUMN look_until text`.execute(db)
  await sql`ALTER TABLE command ADD COLUMN late_at text`.execute(db)
  await sql`CREATE INDEX command_looked_at ON command (look_until) WHERE look_until IS NOT NULL`.execute(db)
  await sql`CREATE INDEX command_late ON command (late_at) WHERE late_at IS NOT NULL`.execute(db)
  // Whose key it is again if the command that borrowed it has no effect.
  await sql`ALTER TABLE command_lock ADD COLUMN back_to text REFERENCES command (id)`.execute(db)
  await sql`
    CREATE TABLE totp_digits (
      actor text PRIMARY KEY, digits integer NOT NULL CHECK (digits BETWEEN 4 AND 20), enrolled_at text)`.execute(db)
}
