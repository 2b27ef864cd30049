import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'

/** Resolves once a transaction in this PostgreSQL database waits for a lock. */
export async function untilLockWait(): Promise<void> {
  const db = await store()
  const waiting = () =>
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
  while ((await waiting()).rows.length === 0) await new Promise(setImmediate)
}
