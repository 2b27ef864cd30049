import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { perProcess } from './per-process.ts'

/** Names a span, as in the header `traceparent`. */
export interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

/** A request that this process is answering. */
interface RequestUnderWay {
  readonly id: string
  /** The template of its address. */
  readonly route: string
  /** The service's user id of who asks, once the session is known. */
  person: string | null
}

/** What the code that runs is a part of. */
interface Work {
  readonly request: RequestUnderWay | null
  readonly span: SpanIds | null
}

const NONE: Work = { request: null, span: null }

const storage = (): AsyncLocalStorage<Work> => perProcess('work', () => new AsyncLocalStorage<Work>())

export const currentWork = (): Work => storage().getStore() ?? NONE

/** Runs something as a part of a request, of a span, or of both. */
export const duringWork = <Result>(work: Partial<Work>, run: () => Result): Result =>
  storage().run({ ...currentWork(), ...work }, run)

/** Runs what outlives the request that began it: its lines in the log are not that request's. */
export const outsideWork = <Result>(run: () => Result): Result => storage().run(NONE, run)

/** Says who asks, for the lines of this request in the log. */
export function notePerson(userId: string): void {
  const { request } = currentWork()
  if (request !== null) request.person = userId
}

/** What each line of the log says of the work that it belongs to. */
export function workInLog(): Readonly<Record<string, string>> {
  const { request, span } = currentWork()
  return {
    ...(request === null ? {} : { requestId: request.id, route: request.route }),
    ...(request?.person == null ? {} : { person: request.person }),
    ...(span === null ? {} : { traceId: span.traceId }),
  }
}
