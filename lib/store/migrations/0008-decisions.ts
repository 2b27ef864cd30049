import { type Kysely, sql } from 'kysely'

/** Activity lists approvals and declines by time, and those of a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX command_event_decision_by_time ON command_event (at DESC)
    WHERE body ~ '"decision":"(approved|declined)","by":"'`.execute(db)
  await sql`
    CREATE INDEX command_event_decision_by_person
    ON command_event (substring(body FROM '"decision":"[a-z]+","by":"([^"]*)"'), at DESC)
    WHERE body ~ '"decision":"(approved|declined)","by":"'`.execute(db)
}
