import { type Kysely, sql } from 'kysely'

/**
 * A witness confirms the signed log, which has events that no command made. What people were shown for confirmation
 * stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'ALTER TABLE command_event ALTER COLUMN command_id DROP NOT NULL',
    // The latest confirmation, and one that this log did not grow from.
    `ALTER TABLE log_head
      ADD COLUMN cosigned text NOT NULL DEFAULT '',
      ADD COLUMN cosigned_size bigint NOT NULL DEFAULT 0,
      ADD COLUMN cosigned_at bigint NOT NULL DEFAULT 0,
      ADD COLUMN conflict text NOT NULL DEFAULT ''`,
    // JSON of what the dialog said.
    'ALTER TABLE command ADD COLUMN confirm_text text',
  ])
    await sql.raw(statement).execute(db)
}
