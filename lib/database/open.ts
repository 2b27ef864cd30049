import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import {
  Kysely,
  PGliteDialect,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely'
import pg from 'pg'
import { withoutValues } from './database-error.ts'
import { assertPrivate } from './private-folder.ts'

/** Only the table's owner can drop the table or disable the trigger. */
export async function makeAppendOnly<Tables>(db: Kysely<Tables>, table: string): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${sql.table(table)}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
}

const CONNECT_MS = 5_000

interface PoolOptions {
  readonly size: number
  readonly types: pg.CustomTypesConfig
  readonly statementMs: number | null
}

export type PoolCount = Readonly<Record<'idle' | 'used' | 'waiting', number>>

/** The client times statements, since a network that drops packets gives no error; BEGIN sets server timeouts. */
function openPool(url: string, { size, types, statementMs }: PoolOptions): PostgresPool & { count(): PoolCount } {
  const prepared = new PreparedStatements()
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(statementMs === null ? {} : { query_timeout: statementMs }),
  })
  // A connection that the server closes must not end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: pool.options,
    count: () => ({ idle: pool.idleCount, used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      if (statementMs === null) return client as unknown as PostgresPoolClient
      try {
        await prepared.admit(client)
      } catch (error) {
        client.release(true)
        throw error
      }
      return withDeadline(client, statementMs, prepared) as unknown as PostgresPoolClient
    },
  }
}

const PREPARED_MARK = '/* prepared */'

/** At the end of a statement that runs with every change: PostgreSQL keeps its plan. */
export const PREPARED = sql.raw(PREPARED_MARK)

const PREPARED_MAX = 100

/** The result has other columns since a migration. */
const OTHER_RESULT = '0A000'

class PreparedStatements {
  readonly #direct = new WeakMap<pg.PoolClient, boolean>()
  readonly #names = new Map<string, string>()
  #named = 0

  /** A pooler may change sessions between transactions. It tells another process id. */
  async admit(client: pg.PoolClient & { readonly processID?: number | null }): Promise<void> {
    if (this.#direct.has(client)) return
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    this.#direct.set(client, rows[0]?.pid === client.processID)
  }

  nameOf(client: pg.PoolClient, text: string): string | undefined {
    if (!text.endsWith(PREPARED_MARK) || this.#direct.get(client) !== true) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= PREPARED_MAX) return known
    this.#named += 1
    const name = `console_${this.#named}`
    this.#names.set(text, name)
    return name
  }

  forget(): void {
    this.#names.clear()
  }
}

function withDeadline(client: pg.PoolClient, statementMs: number, prepared: PreparedStatements) {
  const begin = `begin; set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${statementMs}`
  let silent = false
  // Of a server that was a standby, or set so, when the connection began.
  let readOnly = false
  return {
    async query(sql: string, parameters: unknown[]) {
      // The statement would wait behind the one that timed out.
      if (silent) throw new Error('the connection is silent: time-out')
      try {
        if (sql === 'begin') return await client.query(begin)
        const name = prepared.nameOf(client, sql)
        return await client.query({ text: sql, values: parameters, ...(name === undefined ? {} : { name }) })
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : null
        if (code === OTHER_RESULT) prepared.forget()
        silent = error instanceof Error && error.message === GAVE_UP
        readOnly ||= code === READ_ONLY
        throw error
      }
    },
    release: (destroy?: boolean) => client.release(destroy === true || silent || readOnly),
  }
}

const READ_ONLY = '25006'

const GAVE_UP = 'Query read timeout'

/** The operating system's limit, minus the closing zero byte. */
const SOCKET_PATH_MAX_BYTES = 103

class FolderInUse extends Error {
  constructor(folder: string) {
    super(`${folder} is in use by another process. Stop that one first: an embedded database has one owner.`)
    this.name = 'FolderInUse'
  }
}

/** The operating system closes the unix socket however the process dies. Throws {@link FolderInUse}. */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = socketPath(folder)
  let server = await listen(path)
  if (server === null) {
    if (await answers(path)) throw new FolderInUse(folder)
    rmSync(path, { force: true })
    server = await listen(path)
    if (server === null) throw new FolderInUse(folder)
  }
  const held = server
  if (process.platform !== 'win32') await assertStillOurs(path, folder, held)
  held.unref()
  return () => new Promise((done) => held.close(() => done()))
}

/** Two processes may replace the same dead socket; the one whose file was replaced gives way. */
async function assertStillOurs(path: string, folder: string, server: Server): Promise<void> {
  const inode = statSync(path).ino
  await new Promise((done) => setTimeout(done, 30))
  let now: number | null = null
  try {
    now = statSync(path).ino
  } catch {
    now = null
  }
  if (now === inode) return
  await new Promise((done) => server.close(done))
  throw new FolderInUse(folder)
}

function socketPath(folder: string): string {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\console-${Buffer.from(resolve(folder)).toString('base64url').slice(-200)}`
  }
  const absolute = join(resolve(folder), 'lock')
  const fromHere = relative(process.cwd(), absolute)
  const shorter = fromHere.length < absolute.length ? fromHere : absolute
  if (Buffer.byteLength(shorter) > SOCKET_PATH_MAX_BYTES) {
    throw new Error(`the path of ${absolute} is too long for a lock: at most ${SOCKET_PATH_MAX_BYTES} bytes`)
  }
  return shorter
}

const listen = (path: string): Promise<Server | null> =>
  new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => done(server))
  })

const answers = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

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
  /** Makes no embedded store: a mistyped folder is an error. */
  readonly mustExist?: boolean
  readonly poolSize?: number
  readonly statementMs?: number
}

/** Reads int8 as a number and numeric as text. PGlite has one connection: inside a transaction use only its handle. */
export async function open<Tables>(url: string, options: Options = {}): Promise<Opened<Tables>> {
  if (url === 'memory:') return openEmbedded<Tables>(undefined)
  if (url.startsWith('file:')) {
    const folder = url.slice('file:'.length)
    if (options.mustExist && !existsSync(join(folder, 'pgdata'))) throw new Error(`there is no store in ${folder}`)
    return openEmbedded<Tables>(folder)
  }
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
  // Its pages are in memory: a random read costs no more than one in order.
  await pglite.exec("SET random_page_cost = 1.1; SET work_mem = '16MB'")
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

/** Behind PgBouncer, Kysely's session lock may stay in another session. `lib/store/store.ts` locks per transaction. */
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
