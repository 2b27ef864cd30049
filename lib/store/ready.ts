import 'server-only'
import { config } from '#lib/config/config.ts'
import { bootId, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { probeFolder } from '#lib/database/probe-folder.ts'
import { writeHeartbeat } from './heartbeat.ts'
import { store } from './store.ts'

const WITHIN_MS = 2_000

/** Within two seconds. Callers share one probe. */
export async function storeIsReady(): Promise<boolean> {
  const probe = perProcess('probe', () =>
    readsAndWrites()
      .catch(() => false)
      .finally(() => putPerProcess('probe', undefined)),
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, WITHIN_MS, false)
  })
  return await Promise.race([probe, late]).finally(() => clearTimeout(timer))
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
