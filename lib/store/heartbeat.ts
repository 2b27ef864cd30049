import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A process that has shown no sign of life for this long is taken for dead. By the database's clock. */
export const DEAD_AFTER_SECONDS = 4

/** A sign of life of this process. */
export async function writeHeartbeat(db: Kysely<Tables>, bootId: string): Promise<void> {
  await sql`
    INSERT INTO console_process (boot_id, beat_at) VALUES (${bootId}, extract(epoch FROM clock_timestamp()))
    ON CONFLICT (boot_id) DO UPDATE SET beat_at = excluded.beat_at`.execute(db)
}

/** Rows of processes that died longer ago than this tell nothing any more. */
const FORGET_AFTER_SECONDS = 3_600

export async function dropDeadProcesses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('console_process')
    .where('beat_at', '<', sql<number>`extract(epoch FROM clock_timestamp()) - ${FORGET_AFTER_SECONDS}`)
    .execute()
}
