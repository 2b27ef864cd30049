import { type Kysely, sql } from 'kysely'

/** What a person looked at or pinned, in place of the merchants alone; and what a look-up goes by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE recent_thing (
      actor text NOT NULL, kind text NOT NULL, id text NOT NULL, label text NOT NULL CHECK (length(label) <= 200),
      shown_at text NOT NULL, pinned_at text, PRIMARY KEY (actor, kind, id))`.execute(db)
  await sql`
    INSERT INTO recent_thing (actor, kind, id, label, shown_at)
    SELECT actor, 'merchant', merchant_id, '', used_at FROM recent_merchant`.execute(db)
  await sql`DROP TABLE recent_merchant`.execute(db)
}
