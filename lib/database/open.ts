import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresAdapter, PostgresDialect } from 'kysely'
import pg from 'pg'
import { withoutValues } from './database-error.ts'
import { lockFolder } from './folder-lock.ts'
import { openPool, type PoolCount } from './pool.ts'
import { assertPrivate } from './private-folder.ts'

export type Engine = 'pglite' | 'postgres'

export interface Opened<Tables> {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  countPool(): PoolCount | null
  close(): Promise<void>
}

const INT8 = 20
const NUMERIC = 1700

/** A value that does not fit is an error, never rounded. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
  return value
}

const asText = (text: string): string => text

interface Options {
  readonly poolSize?: number
  readonly statementMs?: number
}

/** Reads int8 as a number and numeric as text. PGlite has one connection: inside a transaction use only its handle. */
export async function open<Tables>(url: string, options: Options = {}): Promise<Opened<Tables>> {
  if (url === 'memory:') return openEmbedded<Tables>(undefined)
  if (url.startsWith('file:')) return openEmbedded<Tables>(url.slice('file:'.length))
  if (/^postgres(ql)?:\/\//.test(url)) return openServer<Tables>(url, options)
  throw new TypeError('a database address starts with memory:, file: or postgres://')
}

async function openEmbedded<Tables>(folder: string | undefined): Promise<Opened<Tables>> {
  let unlock = async (): Promise<void> => {}
  if (folder !== undefined) {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    // PGlite makes its files readable for all users.
    assertPrivate(folder)
    unlock = await lockFolder(folder)
  }
  const pglite = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: join(folder, 'pgdata') }),
    parsers: { [INT8]: parseInt8, [NUMERIC]: asText },
  }).catch(async (cause: unknown) => {
    await unlock()
    throw new Error(`the embedded database in ${folder ?? 'memory'} does not open`, { cause })
  })
  const db = new Kysely<Tables>({ dialect: withoutValues(new PGliteDialect({ pglite })) })
  return {
    db,
    engine: 'pglite',
    countPool: () => null,
    async close() {
      await db.destroy()
      if (!pglite.closed) await pglite.close()
      await unlock()
    },
  }
}

/**
 * Behind PgBouncer, Kysely's session lock may be released in another session and stay for an hour.
 * `lib/store/migrate.ts` locks per transaction.
 */
class WithoutSessionLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class ServerDialect extends PostgresDialect {
  override createAdapter = (): WithoutSessionLock => new WithoutSessionLock()
}

async function openServer<Tables>(url: string, { poolSize, statementMs }: Options): Promise<Opened<Tables>> {
  const parsers: Readonly<Record<number, (text: string) => unknown>> = { [INT8]: parseInt8, [NUMERIC]: asText }
  const types = {
    getTypeParser: (id: number, format?: string) =>
      parsers[id] ?? pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text'),
  } as pg.CustomTypesConfig
  const pool = openPool(url, { size: poolSize ?? 10, types, statementMs: statementMs ?? null })
  const db = new Kysely<Tables>({ dialect: withoutValues(new ServerDialect({ pool })) })
  return { db, engine: 'postgres', countPool: () => pool.count(), close: () => db.destroy() }
}
