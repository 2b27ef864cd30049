import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** By the database's clock. */
export const DEAD_AFTER_SECONDS = 4

export async function writeHeartbeat(db: Kysely<Tables>, bootId: string): Promise<void> {
  await sql`
    INSERT INTO console_process (boot_id, beat_at) VALUES (${bootId}, extract(epoch FROM clock_timestamp()))
    ON CONFLICT (boot_id) DO UPDATE SET beat_at = excluded.beat_at`.execute(db)
}

const FORGET_AFTER_SECONDS = 3_600

export async function dropDeadProcesses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('console_process')
    .where('beat_at', '<', sql<number>`extract(epoch FROM clock_timestamp()) - ${FORGET_AFTER_SECONDS}`)
    .execute()
}
