import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** How long a caller waits for a connection, one of the pool's or a new one. */
const CONNECT_MS = 5_000

interface PoolOptions {
  readonly size: number
  readonly types: pg.CustomTypesConfig
  /** How long a statement may take; null for as long as it takes. */
  readonly statementMs: number | null
}

/** Connections that are idle and in use, and requests that wait for one. */
export type PoolCount = Readonly<Record<'idle' | 'used' | 'waiting', number>>

interface CountedPool {
  count(): PoolCount
}

/**
 * A pool of connections that waits for nothing for ever. This side counts the time itself, since a network that swallows
 * packets brings no error, and a connection that was silent once is not used again. The server is told per transaction,
 * with its BEGIN, so that a transaction whose client vanished holds no lock; PgBouncer in transaction mode allows that.
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
  // A connection that the server closes must not end the process: idle, or between two statements of a transaction. What is
  // asked of it next fails, and the pool takes a new one.
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

/** One use of a connection. */
function withDeadline(client: pg.PoolClient, statementMs: number) {
  const begin = `begin; set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${statementMs}`
  let silent = false
  return {
    async query(sql: string, parameters: unknown[]) {
      // Whatever came after a statement that was given up would wait behind it.
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

/** How node-postgres says that its `query_timeout` is over. */
const GAVE_UP = 'Query read timeout'
