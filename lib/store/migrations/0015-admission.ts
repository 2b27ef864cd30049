import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody was asked so far whether they are staff, so everybody signs in anew. A process of before opens no session meanwhile.
  await sql`LOCK TABLE session IN ACCESS EXCLUSIVE MODE`.execute(db)
  await sql`DELETE FROM session`.execute(db)
  await sql`ALTER TABLE session ADD COLUMN admitted_by text NOT NULL, ALTER COLUMN user_id SET NOT NULL`.execute(db)
}
