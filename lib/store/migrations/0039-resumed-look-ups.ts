import { type Kysely, sql } from 'kysely'

/** Whose session looks lines up, which lines, and in which run each was looked up: another process goes on from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE statement ADD COLUMN work_session text,
      ADD COLUMN work_extent text CHECK (work_extent IN ('unread', 'all'))`.execute(db)
  await sql`ALTER TABLE statement_line ADD COLUMN looked_run integer`.execute(db)
  await sql`CREATE INDEX statement_looked_up ON statement (id) WHERE work = 'look'`.execute(db)
}
