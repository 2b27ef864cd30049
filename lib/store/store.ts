import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import { type Opened, open, type PoolCount } from '#lib/database/open.ts'
import { migrations } from './migrations.ts'
import type { Tables, Trx } from './tables.ts'

export { wasRefused } from '#lib/database/database-error.ts'

/** Deadlock, serialization failure, prepared before a migration: a retry is safe. */
const TRY_AGAIN = new Set(['40P01', '40001', '0A000'])
const TRIES_MAX = 6
const PAUSE_MS = 15

/** `work` may run several times, so it must only use its handle. Every transaction of the store starts here. */
export async function inTransaction<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await db.transaction().execute(work)
      for (const listen of commitListeners()) listen()
      return result
    } catch (error) {
      if (tries >= TRIES_MAX || !mayTryAgain(error)) throw error
    }
    // Random, so that the conflict does not repeat.
    await wait(Math.random() * PAUSE_MS * 2 ** tries)
  }
}

const mayTryAgain = (error: unknown): boolean => isDatabaseError(error) && TRY_AGAIN.has(error.code)

const commitListeners = () => perProcess('commits', () => new Set<() => void>())

export function onCommit(listen: () => void): () => void {
  commitListeners().add(listen)
  return () => void commitListeners().delete(listen)
}

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown): boolean => isDatabaseError(error) && error.code === UNIQUE_VIOLATION

export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Seconds since 1970. All processes share the database's clock. */
export const databaseNow = sql<number>`extract(epoch FROM clock_timestamp())::double precision`

/** Shorter parts match nearly everything. */
export const PART_MIN_CHARS = 3

export const partPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

const STATEMENT_MS = 10_000

async function openStore(): Promise<Opened<Tables>> {
  const opened = await open<Tables>(config().databaseUrl, { statementMs: STATEMENT_MS })
  try {
    if (opened.engine === 'postgres') await atLeisure(migrate)
    else await migrate(opened.db)
    return opened
  } catch (cause) {
    await opened.close()
    throw cause
  }
}

/** Over a separate connection with no statement timeout, or another; the embedded store has none. */
export async function atLeisure<Result>(
  work: (db: Kysely<Tables>) => Promise<Result>,
  limit: { readonly statementMs?: number } = {},
): Promise<Result> {
  const url = config().databaseUrl
  if (!url.startsWith('postgres')) return await work(await store())
  const opened = await open<Tables>(url, { poolSize: 1, ...limit })
  try {
    return await work(opened.db)
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

export async function encodingOf(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ encoding: string }>`SELECT current_setting('server_encoding') AS encoding`.execute(db)
  return rows[0]?.encoding
}

/** Waits for other processes' migrations. Statements of others queue behind its locks, so it waits briefly. Throws {@link ForeignStore}. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const encoding = await encodingOf(db)
  if (encoding !== 'UTF8') throw new Error(`The database is in ${encoding}: create it as docs/operations.md says.`)
  await inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('migrations'))`.execute(trx)
    await sql`SET LOCAL lock_timeout = '3s'`.execute(trx)
    const unknown = (await appliedMigrations(trx)).filter((name) => !migrationNames.includes(name))
    if (unknown.length > 0) throw new ForeignStore(unknown)
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
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
