import { type Kysely, sql } from 'kysely'

/** Approvals lists requests, the newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX approval_request_by_time ON approval_request (asked_at DESC, command_id DESC)`.execute(db)
}
