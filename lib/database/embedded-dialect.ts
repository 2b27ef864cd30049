import { type PGlite, parse, protocol } from '@electric-sql/pglite'
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PGliteDialect,
  type QueryResult,
} from 'kysely'

const { serialize } = protocol

/**
 * Kysely's dialect for PGlite with a driver that sends everything about a statement in one message: PGlite's own `query`
 * sends it in six, and each of them costs as much as a small statement itself.
 */
export class EmbeddedDialect extends PGliteDialect {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    super({ pglite })
    this.#pglite = pglite
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#pglite)
  }
}

/** One connection, which Kysely gives to one caller at a time. */
class EmbeddedDriver implements Driver {
  readonly #pglite: PGlite
  readonly #connection: EmbeddedConnection

  constructor(pglite: PGlite) {
    this.#pglite = pglite
    this.#connection = new EmbeddedConnection(pglite)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    await this.#connection.run('BEGIN')
  }

  /** Throws when a statement of the transaction has failed: the database rolls back then, whatever it is told. */
  async commitTransaction(): Promise<void> {
    const { command } = await this.#connection.run('COMMIT')
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.run('ROLLBACK')
  }

  async destroy(): Promise<void> {
    if (!this.#pglite.closed) await this.#pglite.close()
  }
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows = 0 } = await this.run(sql, parameters)
    return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows) }
  }

  // biome-ignore lint/correctness/useYield: nothing of ours streams, and the interface asks for a generator.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the embedded database does not stream')
  }

  async run(text: string, parameters: readonly unknown[] = []) {
    const { messages } = await this.#pglite.execProtocol(
      joined([
        serialize.parse({ text }),
        serialize.bind({ values: parameters.map(asText) }),
        serialize.describe({ type: 'P', name: '' }),
        serialize.execute({}),
        serialize.sync(),
      ]),
    )
    const [result] = parse.parseResults(messages, this.#pglite.parsers)
    if (result === undefined) throw new Error('the embedded database gave no result')
    return result
  }
}

/** Parameters travel as text, and the database finds their types by where they stand, as with a server. */
function asText(parameter: unknown): string | null {
  if (parameter === null || parameter === undefined) return null
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof parameter)) return String(parameter)
  throw new TypeError(`a parameter is text, a number, a boolean or null, not ${typeof parameter}`)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
