import 'server-only'
import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { bootId, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { store } from './store.ts'
import type { Tables } from './tables.ts'

const WITHIN_MS = 2_000

/** Within two seconds. Callers share one probe. */
export async function storeIsReady(): Promise<boolean> {
  const probe = perProcess('probe', () =>
    readsAndWrites()
      .catch(() => false)
      .finally(() => putPerProcess('probe', undefined)),
  )
  return await Promise.race([probe, wait(WITHIN_MS, false, { ref: false })])
}

async function readsAndWrites(): Promise<boolean> {
  const { databaseUrl } = config()
  // An embedded database keeps working in open files after its folder is gone.
  if (databaseUrl.startsWith('file:')) await probeFolder(databaseUrl.slice('file:'.length))
  const db = await store()
  await writeHeartbeat(db, bootId())
  const row = await db
    .selectFrom('console_process')
    .select('boot_id')
    .where('boot_id', '=', bootId())
    .executeTakeFirst()
  return row !== undefined
}

const PROBE = Buffer.alloc(8_192)

/** Throws if the folder is gone or the disk is full. */
export async function probeFolder(folder: string): Promise<void> {
  await access(join(folder, 'pgdata', 'PG_VERSION'))
  const probe = join(folder, 'probe')
  try {
    await writeFile(probe, PROBE, { mode: 0o600 })
  } finally {
    await rm(probe, { force: true })
  }
}

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
