import { type Kysely, sql } from 'kysely'

/**
 * Passkeys, what they are to sign, and that somebody was there for a change, which is never altered. A person has at most five: one
 * a slot.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE passkey (
      id text PRIMARY KEY, actor text NOT NULL, slot integer NOT NULL CHECK (slot BETWEEN 1 AND 5), name text NOT NULL,
      public_key text NOT NULL, counter bigint NOT NULL, transports text NOT NULL, aaguid text NOT NULL,
      synced boolean NOT NULL, backed_up boolean NOT NULL, created_at text NOT NULL, last_used_at text,
      UNIQUE (actor, slot))`.execute(db)
  await sql`
    CREATE TABLE passkey_challenge (
      challenge text PRIMARY KEY, actor text NOT NULL, command_id text REFERENCES command (id), effect text,
      expires_at double precision NOT NULL)`.execute(db)
  await sql`
    CREATE TABLE passkey_assertion (
      challenge text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), actor text NOT NULL, effect text NOT NULL,
      credential_id text NOT NULL, at double precision NOT NULL)`.execute(db)
  await sql`CREATE INDEX passkey_assertion_command ON passkey_assertion (command_id)`.execute(db)
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON passkey_assertion
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
  await sql`
    ALTER TABLE approval_request
      ADD COLUMN passkey boolean NOT NULL DEFAULT false,
      ADD COLUMN administers boolean NOT NULL DEFAULT false`.execute(db)
}
