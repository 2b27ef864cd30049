import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import pino, { type Logger, type LoggerOptions } from 'pino'
import { perProcess, steadyNow } from './per-process.ts'

/** As in the header `traceparent`. */
export interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

interface Work {
  readonly request: {
    readonly id: string
    readonly route: string
    person: string | null
    /** An event in the journal is committed. */
    hasWritten: boolean
  } | null
  readonly span: SpanIds | null
}

const NONE: Work = { request: null, span: null }

const storage = (): AsyncLocalStorage<Work> => perProcess('work', () => new AsyncLocalStorage<Work>())

export const currentWork = (): Work => storage().getStore() ?? NONE

export const duringWork = <Result>(work: Partial<Work>, run: () => Result): Result =>
  storage().run({ ...currentWork(), ...work }, run)

/** For work that outlives its request. */
export const outsideWork = <Result>(run: () => Result): Result => storage().run(NONE, run)

export function setRequestPerson(userId: string): void {
  const { request } = currentWork()
  if (request !== null) request.person = userId
}

export function markWritten(): void {
  const { request } = currentWork()
  if (request !== null) request.hasWritten = true
}

function workInLog(): Readonly<Record<string, string>> {
  const { request, span } = currentWork()
  return {
    ...(request === null ? {} : { requestId: request.id, route: request.route }),
    ...(request?.person == null ? {} : { person: request.person }),
    ...(span === null ? {} : { traceId: span.traceId }),
  }
}

export const LINES: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => workInLog(),
  mixinMergeStrategy: (line, work) => ({ ...line, ...work }),
}

/** Only named fields: whole requests, answers and library errors may contain tokens. */
export const log = (): Logger => perProcess('log', () => pino(LINES, standardOutput()))

const WAITING_MAX_BYTES = 1_000_000

/** Lines that a full disk or pipe refuses wait for the next. The library's own destination stops for ever, or waits. */
function standardOutput() {
  let waiting = Buffer.alloc(0)
  return {
    write(line: string) {
      const next = Buffer.from(line)
      if (waiting.length + next.length <= WAITING_MAX_BYTES) waiting = Buffer.concat([waiting, next])
      // Once `process.stdout` is read, a full pipe refuses at once instead of blocking.
      const { fd = 1 } = process.stdout
      try {
        while (waiting.length > 0) waiting = waiting.subarray(writeSync(fd, waiting))
      } catch {}
    },
  }
}

const MINUTE_MS = 60_000

/** For events that visitors can cause without limit. */
export function mayLog(kind: string, mostAMinute: number): boolean {
  const logged = perProcess(`logged ${kind}`, () => ({ since: 0, count: 0 }))
  const now = steadyNow()
  if (now > logged.since + MINUTE_MS) Object.assign(logged, { since: now, count: 0 })
  logged.count += 1
  return logged.count <= mostAMinute
}

const FRAME = /^\s+at .*:\d+:\d+\)?$/

/** The framework prints error messages, which may contain values. */
export function quietConsole(): void {
  const quiet =
    (level: 'error' | 'warn') =>
    (...given: readonly unknown[]): void => {
      const error = given.find((value) => value instanceof Error)
      if (error !== undefined && isCutOff(error)) return
      if (error === undefined) log()[level]({ event: 'framework' })
      else log()[level]({ event: 'framework', error: errorName(error), digest: digestOf(error), at: framesOf(error) })
    }
  Object.assign(globalThis.console, { error: quiet('error'), warn: quiet('warn') })
}

/** Aborted uploads would let any client fill the log. */
const isCutOff = (error: Error): boolean =>
  error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

export function logRequestError(error: unknown, where: { readonly route: string; readonly kind: string }): void {
  if (error instanceof Error && isCutOff(error)) return
  log().error({ event: 'request-error', ...where, error: errorName(error), digest: digestOf(error) })
}

/** Libraries may put other text into the name. */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'error'

const digestOf = (error: unknown): string | undefined => {
  const digest = error instanceof Error ? (error as Error & { readonly digest?: unknown }).digest : undefined
  return typeof digest === 'string' ? digest : undefined
}

const framesOf = ({ stack = '', message }: Error): readonly string[] =>
  stack
    .replace(message, () => '')
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, 5)
    .map((line) => line.trim())
