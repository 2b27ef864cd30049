import 'server-only'
import pino, { type Logger, type LoggerOptions } from 'pino'
import { perProcess } from './per-process.ts'
import { workInLog } from './work-context.ts'

/** How every line is written: also by tests that read what is printed. */
export const LINES: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => workInLog(),
  mixinMergeStrategy: (line, work) => ({ ...line, ...work }),
}

/**
 * The console's log: one JSON line an event, to standard output. Lines are built from named fields, never from requests,
 * responses or errors of libraries as they are, since those may carry tokens. A line of a request names it.
 */
export const log = (): Logger => perProcess('log', () => pino(LINES))

const MINUTE_MS = 60_000

/** Whether one more line of this kind may be written in this minute: for what anybody can cause any number of times. */
export function mayLog(kind: string, mostAMinute: number): boolean {
  const logged = perProcess(`logged ${kind}`, () => ({ since: 0, count: 0 }))
  const now = Date.now()
  if (now > logged.since + MINUTE_MS) Object.assign(logged, { since: now, count: 0 })
  logged.count += 1
  return logged.count <= mostAMinute
}
