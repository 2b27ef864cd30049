import 'server-only'
import { log } from './log.ts'

const FRAME = /^\s+at .*:\d+:\d+\)?$/

/** The framework prints error messages, which may contain values. */
export function quietConsole(): void {
  const quiet =
    (level: 'error' | 'warn') =>
    (...given: readonly unknown[]): void => {
      const error = given.find((value) => value instanceof Error)
      if (error !== undefined && isCutOff(error)) return
      if (error === undefined) log()[level]({ event: 'framework' })
      else log()[level]({ event: 'framework', error: error.name, digest: digestOf(error), at: framesOf(error) })
    }
  Object.assign(globalThis.console, { error: quiet('error'), warn: quiet('warn') })
}

/** Aborted uploads would let any client fill the log. */
const isCutOff = (error: Error): boolean =>
  error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

export function noteRequestError(error: unknown, where: { readonly route: string; readonly kind: string }): void {
  if (error instanceof Error && isCutOff(error)) return
  log().error({
    event: 'request-error',
    ...where,
    error: error instanceof Error ? error.name : 'error',
    digest: digestOf(error),
  })
}

const digestOf = (error: unknown): string | undefined => {
  const digest = error instanceof Error ? (error as Error & { readonly digest?: unknown }).digest : undefined
  return typeof digest === 'string' ? digest : undefined
}

const framesOf = (error: Error): readonly string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, 5)
    .map((line) => line.trim())
