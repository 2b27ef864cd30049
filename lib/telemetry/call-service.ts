import 'server-only'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { type Exchange, type Exchanged, exchange } from '#lib/http/exchange.ts'
import { meters } from './meters.ts'
import { startSpan, traceparentOf } from './spans.ts'

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
