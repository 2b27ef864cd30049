import { type Kysely, sql } from 'kysely'

/** A witness confirms the signed log. The log has events that no command made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'ALTER TABLE command_event ALTER COLUMN command_id DROP NOT NULL',
    `ALTER TABLE log_head ADD COLUMN cosigned text NOT NULL DEFAULT '',
      ADD COLUMN cosigned_size bigint NOT NULL DEFAULT 0, ADD COLUMN cosigned_at bigint NOT NULL DEFAULT 0,
      ADD COLUMN conflict text NOT NULL DEFAULT ''`,
  ])
    await sql.raw(statement).execute(db)
}
