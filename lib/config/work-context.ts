import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { perProcess } from './per-process.ts'

/** As in the header `traceparent`. */
export interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

interface RequestUnderWay {
  readonly id: string
  readonly route: string
  person: string | null
}

interface Work {
  readonly request: RequestUnderWay | null
  readonly span: SpanIds | null
}

const NONE: Work = { request: null, span: null }

const storage = (): AsyncLocalStorage<Work> => perProcess('work', () => new AsyncLocalStorage<Work>())

export const currentWork = (): Work => storage().getStore() ?? NONE

export const duringWork = <Result>(work: Partial<Work>, run: () => Result): Result =>
  storage().run({ ...currentWork(), ...work }, run)

/** For work that outlives its request. */
export const outsideWork = <Result>(run: () => Result): Result => storage().run(NONE, run)

export function notePerson(userId: string): void {
  const { request } = currentWork()
  if (request !== null) request.person = userId
}

export function workInLog(): Readonly<Record<string, string>> {
  const { request, span } = currentWork()
  return {
    ...(request === null ? {} : { requestId: request.id, route: request.route }),
    ...(request?.person == null ? {} : { person: request.person }),
    ...(span === null ? {} : { traceId: span.traceId }),
  }
}
