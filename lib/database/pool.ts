import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

const CONNECT_MS = 5_000

interface PoolOptions {
  readonly size: number
  readonly types: pg.CustomTypesConfig
  readonly statementMs: number | null
}

export type PoolCount = Readonly<Record<'idle' | 'used' | 'waiting', number>>

interface CountedPool {
  count(): PoolCount
}

/**
 * The client times statements itself, since a network that drops packets gives no error; the BEGIN sets server
 * timeouts, so that a lost client holds no lock.
 */
export function openPool(url: string, { size, types, statementMs }: PoolOptions): PostgresPool & CountedPool {
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
      return (statementMs === null ? client : withDeadline(client, statementMs)) as unknown as PostgresPoolClient
    },
  }
}

function withDeadline(client: pg.PoolClient, statementMs: number) {
  const begin = `begin; set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${statementMs}`
  let silent = false
  return {
    async query(sql: string, parameters: unknown[]) {
      // The statement would wait behind the one that timed out.
      if (silent) throw new Error('the connection is silent: time-out')
      try {
        return await (sql === 'begin' ? client.query(begin) : client.query(sql, parameters))
      } catch (error) {
        silent = error instanceof Error && error.message === GAVE_UP
        throw error
      }
    },
    release: (destroy?: boolean) => client.release(destroy === true || silent),
  }
}

const GAVE_UP = 'Query read timeout'
