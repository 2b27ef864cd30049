import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a person sent lately.
  await sql`CREATE INDEX command_by_actor_sent ON command (actor, sent_at)`.execute(db)
  // The confirmed deposits, page by page; state and actor are read off the index when they are counted.
  await sql`CREATE INDEX command_by_kind_sent ON command (kind, sent_at DESC, id) INCLUDE (state, actor)`.execute(db)
}
