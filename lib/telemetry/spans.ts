import 'server-only'
import type { Registry } from 'prom-client'
import { currentWork, duringWork, errorName, type SpanIds } from '#lib/config/log.ts'
import { peekPerProcess } from '#lib/config/per-process.ts'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { type Exchange, type Exchanged, exchange } from '#lib/http/exchange.ts'

/** Reports the template, never the address. */
export async function callService(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  request: Omit<Exchange, 'method'>,
): Promise<Exchanged> {
  const endpoint = `${method} ${path}`
  const attributes = { 'http.request.method': method, 'url.template': path }
  const span = startSpan({ name: endpoint, kind: 'client', attributes })
  const began = performance.now()
  const headers = span === null ? request.headers : { ...request.headers, traceparent: traceparentOf(span.ids) }
  const answer = await exchange({ ...request, method, headers })
  const status = answer.kind === 'answer' ? String(answer.status) : answer.kind
  meters().serviceCall(endpoint, status, (performance.now() - began) / 1000)
  if (answer.kind === 'answer') span?.end({ 'http.response.status_code': answer.status }, answer.status >= 500)
  else span?.end({ 'error.type': answer.kind }, true)
  return answer
}

const NONE = {
  request: (_route: string, _method: string, _status: string, _seconds: number): void => {},
  serviceCall: (_endpoint: string, _status: string, _seconds: number): void => {},
  command: (_kind: string, _state: string): void => {},
  denial: (_kind: string, _why: string): void => {},
  tokenRefresh: (_method: 'sso' | 'password', _result: string): void => {},
  stepUp: (_result: string): void => {},
  passwordSignIn: (_result: string): void => {},
  approvalRefused: (_why: string): void => {},
  connectionRefused: (): void => {},
  spans: (_result: 'exported' | 'lost', _count: number): void => {},
}

export type Meters = Readonly<typeof NONE>

export const meters = (): Meters => peekPerProcess<Meters>('meters') ?? NONE

export const metricsOfProcess = (): Registry | null => peekPerProcess<Registry>('metrics') ?? null

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
