import 'server-only'
import { currentWork, duringWork, errorName, type SpanIds } from '#lib/config/log.ts'
import { peekPerProcess } from '#lib/config/per-process.ts'

/** No other attribute leaves the console. */
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
  /** `server`: a request to the console. `client`: to the service. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes: SpanAttributes
  /** Null starts a trace. */
  readonly parent?: SpanIds | null
  /** A span of another trace that caused this one. */
  readonly link?: SpanIds | null
}

export interface OpenSpan {
  readonly ids: SpanIds
  end(attributes: SpanAttributes, failed: boolean): void
}

export interface Tracing {
  start(span: NewSpan & { readonly parent: SpanIds | null }): OpenSpan
  end(): Promise<void>
}

export const tracing = (): Tracing | undefined => peekPerProcess<Tracing>('tracing')

export const startSpan = (span: NewSpan): OpenSpan | null =>
  tracing()?.start({ ...span, parent: span.parent === undefined ? currentWork().span : span.parent }) ?? null

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

export const traceparentOf = ({ traceId, spanId }: SpanIds): string => `00-${traceId}-${spanId}-01`

export function currentTraceparent(): string | null {
  const { span } = currentWork()
  return span === null ? null : traceparentOf(span)
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

export function spanIn(traceparent: string | null): SpanIds | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId }
}
