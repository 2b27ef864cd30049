import type { DatabaseConnection, Dialect, Driver } from 'kysely'

const STATEMENTS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback', 'create', 'alter']

const CODE = /^[A-Z0-9_]{3,40}$/

/** An engine's own error may contain the statement, its parameters and the row, and would reach the log. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string
  readonly statement: string

  constructor(code: string, statement: string, constraint: string | null = null) {
    super(`the database failed: ${code} at ${statement}${constraint === null ? '' : `, ${constraint}`}`)
    this.code = code
    this.statement = statement
  }
}

/** Each framework bundle has its own copy of the class. */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && error.name === 'DatabaseError'

const databaseError = (error: unknown, statement: string): DatabaseError =>
  isDatabaseError(error) ? error : new DatabaseError(codeOf(error), statement, constraintOf(error))

function statementKind(sql: string): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  return STATEMENTS.includes(word) ? word : 'statement'
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/

const constraintOf = (error: unknown): string | null =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' && NAME.test(error.constraint)
    ? error.constraint
    : null

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code
  // node-postgres gives no code for its timeouts.
  if (/time-?out/i.test(error.message)) return 'ETIMEDOUT'
  if (error.name === 'AbortedTransactionError') return '25P02'
  if (/connection|closed|terminated/i.test(error.message)) return 'ECONNRESET'
  return 'UNKNOWN'
}

export const withoutValues = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => guard(dialect.createDriver()),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})

async function named<Result>(statement: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw databaseError(error, statement)
  }
}

function guard(driver: Driver): Driver {
  const guarded = new WeakSet<DatabaseConnection>()
  return {
    init: (options) => named('connect', () => driver.init(options)),
    async acquireConnection(options) {
      const connection = await named('connect', () => driver.acquireConnection(options))
      if (!guarded.has(connection)) {
        const execute = connection.executeQuery.bind(connection)
        connection.executeQuery = (query, ...rest) => named(statementKind(query.sql), () => execute(query, ...rest))
        guarded.add(connection)
      }
      return connection
    },
    beginTransaction: (connection, settings) => named('begin', () => driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => named('commit', () => driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => named('rollback', () => driver.rollbackTransaction(connection)),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  }
}

/** SQLSTATE classes 22 (data) and 23 (constraints). */
const REFUSED = /^2[23]/

/** Whether a retry would also fail. */
export const wasRefused = (error: unknown): boolean => !isDatabaseError(error) || REFUSED.test(error.code)

/** False if the database refused a statement. */
export function isDatabaseOut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isDatabaseError(error) ? !REFUSED.test(error.code) : isDatabaseOut(error.cause)
}
