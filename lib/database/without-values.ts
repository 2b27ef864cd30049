import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { databaseError, statementKind } from './database-error.ts'

/** A dialect whose failures, wherever they come from, are `DatabaseError`s: without values. */
export function withoutValues(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => guard(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

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
