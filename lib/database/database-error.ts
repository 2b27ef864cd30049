/** What the statements of the console begin with; whatever else there is counts as `statement`. */
const STATEMENTS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback', 'create', 'alter']

/** Codes are short words; whatever else a library puts there is not passed on. */
const CODE = /^[A-Z0-9_]{3,40}$/

/**
 * A failure of the database, with a code and nothing that anybody typed: what an engine says of it may hold the
 * statement, its parameters and the row, and would reach a log.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  /** SQLSTATE, or the system's name of the failure. */
  readonly code: string
  /** What kind of statement it was. */
  readonly statement: string

  constructor(code: string, statement: string, constraint: string | null = null) {
    super(`the database failed: ${code} at ${statement}${constraint === null ? '' : `, ${constraint}`}`)
    this.code = code
    this.statement = statement
  }
}

/** Any failure of an engine as one that can be logged. */
export function databaseError(error: unknown, statement: string): DatabaseError {
  if (error instanceof DatabaseError) return error
  return new DatabaseError(codeOf(error), statement, constraintOf(error))
}

/** The first word of a statement, where it is one of ours. */
export function statementKind(sql: string): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  return STATEMENTS.includes(word) ? word : 'statement'
}

/** Names of constraints are ours. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/

const constraintOf = (error: unknown): string | null =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' && NAME.test(error.constraint)
    ? error.constraint
    : null

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code
  // What node-postgres says without a code when it gives up waiting.
  if (/time-?out/i.test(error.message)) return 'ETIMEDOUT'
  if (error.name === 'AbortedTransactionError') return '25P02'
  if (/connection|closed|terminated/i.test(error.message)) return 'ECONNRESET'
  return 'UNKNOWN'
}
