import 'server-only'
import pino, { type Logger } from 'pino'

const shared = globalThis as typeof globalThis & { consoleLog?: Logger }

/**
 * The console's log: one JSON line an event, to standard output. Lines are built from named fields, never from requests,
 * responses or errors of libraries as they are, since those may carry tokens.
 */
export function log(): Logger {
  shared.consoleLog ??= pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime })
  return shared.consoleLog
}
