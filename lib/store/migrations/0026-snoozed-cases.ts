import { type Kysely, sql } from 'kysely'

/** Cases that their assignee has put off: until a time, or, where there is none, until one of the parties writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE case_snooze (
      case_id text PRIMARY KEY,
      until text,
      messages integer NOT NULL,
      command_id text NOT NULL
    )`.execute(db)
}
