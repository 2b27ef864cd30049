import { type Kysely, sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/append-only.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE session (
      id text PRIMARY KEY, box text NOT NULL, token_serial integer NOT NULL,
      access_received_at text NOT NULL, access_ends_at text NOT NULL, lease_by text, lease_ends_at text,
      actor text NOT NULL, display_name text NOT NULL, user_id text,
      method text NOT NULL CHECK (method IN ('sso', 'password')),
      created_at text NOT NULL, ends_at text NOT NULL)`.execute(db)
  await sql`
    CREATE TABLE session_handle (
      id_hash text PRIMARY KEY, session_id text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
      wrapped_key text NOT NULL, key_version integer NOT NULL)`.execute(db)
  await sql`CREATE INDEX session_handle_by_session ON session_handle (session_id)`.execute(db)
  await sql`CREATE INDEX session_actor ON session (actor)`.execute(db)
  await sql`
    CREATE TABLE command (
      id text PRIMARY KEY, kind text NOT NULL, state text NOT NULL, actor text NOT NULL, actor_name text NOT NULL,
      params text NOT NULL, facts text NOT NULL, outcome text, target text NOT NULL,
      created_at text NOT NULL, sent_at text, settled_at text, boot_id text NOT NULL)`.execute(db)
  await sql`CREATE INDEX command_by_state ON command (state, created_at)`.execute(db)
  await sql`CREATE INDEX command_by_target ON command (target, created_at)`.execute(db)
  await sql`
    CREATE TABLE command_event (
      sequence bigint PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), at text NOT NULL,
      state text NOT NULL, actor text NOT NULL, body text NOT NULL,
      previous_mac text NOT NULL, mac text NOT NULL)`.execute(db)
  await sql`CREATE INDEX command_event_by_command ON command_event (command_id, sequence)`.execute(db)
  await makeAppendOnly(db, 'command_event')
  await sql`
    CREATE TABLE command_chain (one integer PRIMARY KEY CHECK (one = 1), sequence bigint NOT NULL, mac text NOT NULL)`.execute(
    db,
  )
  await sql`INSERT INTO command_chain (one, sequence, mac) VALUES (1, 0, '')`.execute(db)
  await sql`
    CREATE TABLE command_lock (
      key text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), for_ever boolean NOT NULL)`.execute(db)
  await sql`CREATE INDEX command_lock_by_command ON command_lock (command_id)`.execute(db)
  await sql`CREATE TABLE preference (actor text PRIMARY KEY, body text NOT NULL)`.execute(db)
}
