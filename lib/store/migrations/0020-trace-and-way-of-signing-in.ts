import { type Kysely, sql } from 'kysely'

/** Of the latest answer: what the journal has of it since the command last went out. */
const TRACE = '"traceId":"([^"\\\\]+)"'

/** A command has the trace id of the service's answer, and how its author had signed in; of older ones the latter is not known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE command ADD COLUMN trace_id text, ADD COLUMN method text`.execute(db)
  await sql`
    UPDATE command SET trace_id = (
      SELECT substring(event.body FROM ${sql.lit(TRACE)}) FROM command_event event
      WHERE event.command_id = command.id AND event.body LIKE '%"traceId":"%' AND NOT EXISTS (
        SELECT 1 FROM command_event later
        WHERE later.command_id = command.id AND later.sequence > event.sequence AND later.state = 'sent'
      )
      ORDER BY event.sequence DESC LIMIT 1
    )
    WHERE sent_at IS NOT NULL
  `.execute(db)
}
