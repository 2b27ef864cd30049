import 'server-only'
import pino, { type Logger, type LoggerOptions } from 'pino'
import { perProcess } from './per-process.ts'
import { workInLog } from './work-context.ts'

export const LINES: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => workInLog(),
  mixinMergeStrategy: (line, work) => ({ ...line, ...work }),
}

/** Only named fields: whole requests, answers and library errors may contain tokens. */
export const log = (): Logger => perProcess('log', () => pino(LINES))

const MINUTE_MS = 60_000

/** For events that visitors can cause without limit. */
export function mayLog(kind: string, mostAMinute: number): boolean {
  const logged = perProcess(`logged ${kind}`, () => ({ since: 0, count: 0 }))
  const now = Date.now()
  if (now > logged.since + MINUTE_MS) Object.assign(logged, { since: now, count: 0 })
  logged.count += 1
  return logged.count <= mostAMinute
}
