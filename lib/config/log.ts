import 'server-only'
import pino, { type Logger } from 'pino'
import { perProcess } from './per-process.ts'

/**
 * The console's log: one JSON line an event, to standard output. Lines are built from named fields, never from requests,
 * responses or errors of libraries as they are, since those may carry tokens.
 */
export const log = (): Logger => perProcess('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }))
