import 'server-only'
import { peekPerProcess } from '#lib/config/per-process.ts'
import { currentWork, duringWork, type SpanIds } from '#lib/config/work-context.ts'

/** All that a span may say. Nothing else leaves the console. */
export const SPAN_ATTRIBUTES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'url.template',
  'error.type',
  'console.command.kind',
  'console.command.state',
] as const

export type SpanAttributes = { readonly [Name in (typeof SPAN_ATTRIBUTES)[number]]?: string | number }

export interface NewSpan {
  readonly name: string
  /** `server`: a request to the console. `client`: one to the service. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes: SpanAttributes
  /** Null begins a trace; left out, the parent is the span that the code runs in. */
  readonly parent?: SpanIds | null
  /** A span of another trace that led to this one. */
  readonly link?: SpanIds | null
}

export interface OpenSpan {
  readonly ids: SpanIds
  end(attributes: SpanAttributes, failed: boolean): void
}

export interface Tracing {
  start(span: NewSpan & { readonly parent: SpanIds | null }): OpenSpan
  /** Sends what is left, and ends. */
  end(): Promise<void>
}

export const tracing = (): Tracing | undefined => peekPerProcess<Tracing>('tracing')

/** Null where no traces are made. */
export const startSpan = (span: NewSpan): OpenSpan | null =>
  tracing()?.start({ ...span, parent: span.parent === undefined ? currentWork().span : span.parent }) ?? null

/** Runs something inside a span; just runs it where no traces are made. */
export async function inSpan<Result>(span: NewSpan, work: () => Promise<Result>): Promise<Result> {
  const open = startSpan(span)
  if (open === null) return await work()
  try {
    const result = await duringWork({ span: open.ids }, work)
    open.end({}, false)
    return result
  } catch (error) {
    open.end({ 'error.type': errorName(error) }, true)
    throw error
  }
}

/** Names of classes, and nothing that a library may have put in the place of one. */
const errorName = (error: unknown): string =>
  error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'error'

/** A span as the header `traceparent` names it; each is recorded. */
export const traceparentOf = ({ traceId, spanId }: SpanIds): string => `00-${traceId}-${spanId}-01`

/** The span that the code runs in, to be joined later; null outside of one. */
export function currentTraceparent(): string | null {
  const { span } = currentWork()
  return span === null ? null : traceparentOf(span)
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

export function spanIn(traceparent: string | null): SpanIds | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId }
}
