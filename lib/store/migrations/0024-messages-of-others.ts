import { type Kysely, sql } from 'kysely'

/** With the last message of anyone but its last author, unread cases are counted without their messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE case_thread ADD COLUMN other_key text COLLATE "C"`.execute(db)
  await sql`
    UPDATE case_thread SET other_key = (SELECT max(order_key) FROM case_message AS message
      WHERE message.case_id = case_thread.case_id AND author <> last_author)
    WHERE last_key IS NOT NULL`.execute(db)
}
