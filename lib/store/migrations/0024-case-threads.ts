import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Keys and ids in small letters. The text of a message is not kept.
  await sql`CREATE TABLE case_thread (case_id text PRIMARY KEY, payer text, read_at double precision NOT NULL)`.execute(
    db,
  )
  // Put in order as bytes, as the console does: a language's own order is another one.
  await sql`
    CREATE TABLE case_message (
      case_id text NOT NULL, message_id text NOT NULL, author text NOT NULL, order_key text COLLATE "C" NOT NULL,
      PRIMARY KEY (case_id, message_id))`.execute(db)
  await sql`
    CREATE TABLE case_reader (
      actor text NOT NULL, case_id text NOT NULL, last_key text COLLATE "C" NOT NULL,
      PRIMARY KEY (actor, case_id))`.execute(db)
  await sql`CREATE INDEX case_claim_by_holder ON case_claim (holder)`.execute(db)
}
