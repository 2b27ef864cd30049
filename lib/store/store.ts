import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { type Opened, open } from '#lib/database/open.ts'
import type { PoolCount } from '#lib/database/pool.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'

const STATEMENT_MS = 10_000

async function openStore(): Promise<Opened<Tables>> {
  const url = config().databaseUrl
  const opened = await open<Tables>(url, { statementMs: STATEMENT_MS })
  try {
    if (opened.engine === 'postgres') await migrateAtLeisure(url)
    else await migrate(opened.db)
    return opened
  } catch (cause) {
    await opened.close()
    throw cause
  }
}

/** A separate connection without a statement timeout: an index on a large table takes long. */
async function migrateAtLeisure(url: string): Promise<void> {
  const opened = await open<Tables>(url, { poolSize: 1 })
  try {
    await migrate(opened.db)
  } finally {
    await opened.close()
  }
}

export async function store(): Promise<Kysely<Tables>> {
  const opened = await perProcess('store', () => {
    const opening = openStore()
    // A failed opening must be forgotten, or the console never recovers.
    opening.catch(() => putPerProcess('store', undefined))
    return opening
  })
  return opened.db
}

export const countStorePool = async (): Promise<PoolCount | null> =>
  (await peekPerProcess<Promise<Opened<Tables>>>('store'))?.countPool() ?? null

export async function closeStore(): Promise<void> {
  await (await peekPerProcess<Promise<Opened<Tables>>>('store'))?.close()
}
