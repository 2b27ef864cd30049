import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // `seen_order` tells apart what was seen within one second: the service's clock comes in whole ones.
  await sql`
    CREATE TABLE state_seen (
      reference text NOT NULL, state text NOT NULL, first_seen_at text NOT NULL,
      seen_order bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (reference, state))`.execute(db)
  // What took effect, by kind and newest first, however many commands there are.
  await sql`
    CREATE INDEX command_effective ON command (kind, sent_at)
      WHERE state IN ('done', 'accepted', 'applied')`.execute(db)
  await sql`ALTER TABLE statement ADD COLUMN work_wants_code boolean NOT NULL DEFAULT false`.execute(db)
}
