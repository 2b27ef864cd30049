import { type Kysely, sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/open.ts'

/** Events get a place in a signed tree. The chain ends: its last MAC is the first leaf. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    // Processes of an earlier version fail to write from here on, so that the chain has no event after its end.
    'ALTER TABLE command_chain RENAME TO ended_chain',
    'ALTER TABLE command_event ALTER COLUMN previous_mac DROP NOT NULL',
    'ALTER TABLE command_event ADD COLUMN salts text',
    'CREATE SEQUENCE command_event_sequence',
    `SELECT setval('command_event_sequence', GREATEST(sequence, 1), sequence > 0) FROM ended_chain`,
    `CREATE TABLE log_pending (
      sequence bigint PRIMARY KEY, refused boolean NOT NULL DEFAULT false,
      since double precision NOT NULL DEFAULT extract(epoch FROM clock_timestamp()))`,
    // The first leaf has no event: it is the chain's end.
    `CREATE TABLE log_leaf ("index" bigint PRIMARY KEY, sequence bigint UNIQUE)`,
    `CREATE TABLE log_node (
      level integer NOT NULL, "index" bigint NOT NULL, hash text NOT NULL, PRIMARY KEY (level, "index"))`,
    `CREATE TABLE log_head (
      one integer PRIMARY KEY CHECK (one = 1), size bigint NOT NULL, root text NOT NULL, checkpoint text NOT NULL,
      at text NOT NULL)`,
    'ALTER TABLE journal_check RENAME end_mac TO root',
    `INSERT INTO log_head VALUES (1, 0, '', '', '')`,
  ])
    await sql.raw(statement).execute(db)
  for (const table of ['log_leaf', 'log_node']) await makeAppendOnly(db, table)
}
