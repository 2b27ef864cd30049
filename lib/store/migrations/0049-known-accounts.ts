import { type Kysely, sql } from 'kysely'

/** The accounts whose people were let in here. So far their names are in the audit trail: each that is the name of one person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE known_account (
      account_hash text PRIMARY KEY, actor text NOT NULL, actor_name text NOT NULL, last_at text NOT NULL)`.execute(db)
  await sql`
    INSERT INTO known_account (account_hash, actor, actor_name, last_at)
    SELECT encode(sha256(convert_to(lower(trim(actor_name)), 'UTF8')), 'hex'), min(actor), min(actor_name), max(at)
    FROM audit_entry WHERE kind = 'session.sign-in'
    GROUP BY lower(trim(actor_name)) HAVING count(DISTINCT actor) = 1`.execute(db)
}
