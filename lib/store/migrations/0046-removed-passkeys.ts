import { type Kysely, sql } from 'kysely'

/** The removals of passkeys, by whose they were: an event's body begins with the kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX command_event_passkey_removed ON command_event (actor)
    WHERE state = 'done' AND starts_with(body, '{"kind":"passkey.remove"')`.execute(db)
}
