import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE issued_card (
      id text PRIMARY KEY, last4 text NOT NULL CHECK (length(last4) <= 4), user_id text NOT NULL,
      card_type integer NOT NULL, card_type_name text NOT NULL, printed_name text NOT NULL,
      issuer text NOT NULL, issuer_name text NOT NULL, issued_at text NOT NULL,
      command_id text NOT NULL UNIQUE REFERENCES command (id),
      came text NOT NULL CHECK (came IN ('issued', 'registered')),
      recorded_by text NOT NULL, recorded_at text NOT NULL,
      blocked_at text, blocked_by text, block_reason text)`.execute(db)
  // An id is one id in capitals and small letters.
  await sql`CREATE UNIQUE INDEX issued_card_by_id ON issued_card (lower(id))`.execute(db)
  await sql`CREATE INDEX issued_card_by_time ON issued_card (recorded_at)`.execute(db)
  await sql`CREATE INDEX issued_card_by_holder ON issued_card (lower(user_id), recorded_at)`.execute(db)
  await sql`CREATE INDEX issued_card_by_last4 ON issued_card (last4, recorded_at)`.execute(db)
  await sql`
    CREATE TABLE recent_merchant (
      actor text NOT NULL, merchant_id text NOT NULL, used_at text NOT NULL, PRIMARY KEY (actor, merchant_id))`.execute(
    db,
  )
}
