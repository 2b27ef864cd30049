import 'server-only'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import type { PoolCount } from '#lib/database/open.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

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

export const migrationNames: readonly string[] = Object.keys(migrations)

export class ForeignStore extends Error {
  constructor(names: readonly string[]) {
    super(
      `The store has migrations unknown to this build (${names.join(', ')}). Run the build that made it, or set DATABASE_URL to an empty store.`,
    )
  }
}

/** Waits for other processes' migrations. Throws {@link ForeignStore}. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('migrations'))`.execute(trx)
    const unknown = (await appliedMigrations(trx)).filter((name) => !migrationNames.includes(name))
    if (unknown.length > 0) throw new ForeignStore(unknown)
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('the store could not be migrated', { cause: error })
  })
}

/** Empty for a store without tables. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows: tables } = await sql`SELECT FROM pg_tables
    WHERE schemaname = current_schema() AND tablename = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}
