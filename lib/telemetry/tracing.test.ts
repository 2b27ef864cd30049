import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { startTraceCollector } from '#lib/testing/trace-collector.ts'
import { callService, inSpan, meters, type SpanAttributes, tracing } from './spans.ts'
import { startTracing } from './tracing.ts'

const SECRET = 'a-secret-of-this-test'
const step = (attributes: SpanAttributes = {}) => ({ name: 'step', kind: 'internal', attributes }) as const

afterEach(() => putPerProcess('tracing', undefined))

/** A service that answers every request with nothing, and keeps the header by which it hears of a trace. */
async function startService(): Promise<{ readonly server: Server; readonly url: URL; readonly heard: unknown[] }> {
  const heard: unknown[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers.traceparent)
    response.end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { server, heard, url: new URL(`http://127.0.0.1:${port}/api/v1/cards/${SECRET}?email=${SECRET}`) }
}

const call = (url: URL) =>
  callService(
    { method: 'GET', path: '/api/v1/cards/{cardId}' },
    { url, headers: { authorization: `Bearer ${SECRET}` }, timeoutMs: 2_000, reuseConnection: false },
  )

test('only what is on the list leaves the console, and the service hears of the span that calls it', async () => {
  configureForTest()
  const [collector, service] = await Promise.all([startTraceCollector(), startService()])
  startTracing(collector.url)
  const more = { 'url.full': service.url.href, 'user.email': SECRET } as SpanAttributes
  await inSpan(step({ ...more, 'console.command.kind': 'card.block' }), () => call(service.url))
  const fail = () => Promise.reject(Object.assign(new Error(SECRET), { name: SECRET }))
  await inSpan({ ...step(), name: 'failing step' }, fail).catch(() => {})
  await tracing()?.end()
  // What tests before this one left under way may make spans as well.
  const spans = collector.spans()
  const outer = spans.find(({ attributes }) => 'console.command.kind' in attributes)
  const called = spans.find(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId === outer?.spanId)
  const failed = spans.find(({ name }) => name === 'failing step')
  expect(outer?.attributes).toEqual({ 'console.command.kind': 'card.block' })
  expect(failed?.attributes).toEqual({ 'error.type': 'error' })
  expect(called).toMatchObject({
    name: 'GET /api/v1/cards/{cardId}',
    traceId: outer?.traceId,
    parentSpanId: outer?.spanId,
  })
  expect(called?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.template': '/api/v1/cards/{cardId}',
    'http.response.status_code': 200,
  })
  expect(service.heard).toEqual([`00-${called?.traceId}-${called?.spanId}-01`])
  expect(collector.text()).not.toContain(SECRET)
  service.server.close()
  await collector.stop()
})

test('without a collector the service hears of no trace', async () => {
  const service = await startService()
  await inSpan(step(), () => call(service.url))
  expect(service.heard).toEqual([undefined])
  service.server.close()
})

test('a span that finds no room to wait for the collector is counted as lost', async () => {
  configureForTest()
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  let lost = 0
  putPerProcess('meters', {
    ...meters(),
    spans: (result: string, count: number) => (lost += Number(result === 'lost' && count)),
  })
  startTracing(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/traces`)
  // A batch of 512 is on its way, and 2,048 spans wait.
  for (let n = 0; n < 512 + 2_048 + 7; n += 1) await inSpan(step(), async () => n)
  putPerProcess('meters', undefined)
  expect(lost).toBe(7)
  silent.closeAllConnections()
  silent.close()
})

test('a collector that is out or answers nothing holds nobody up', async () => {
  configureForTest()
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  for (const port of [1, (silent.address() as AddressInfo).port]) {
    startTracing(`http://127.0.0.1:${port}/v1/traces`)
    for (let n = 0; n < 3_000; n += 1) await inSpan(step(), async () => n)
    putPerProcess('tracing', undefined)
  }
  silent.closeAllConnections()
  silent.close()
})
