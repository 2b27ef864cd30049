import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { knownLabels } from '#lib/console-telemetry.ts'
import { metricsOnMainPort, serveMetrics } from './answer-metrics.ts'
import type { Readings } from './metrics.ts'
import { startMetrics } from './metrics.ts'
import { meters } from './spans.ts'

const TOKEN = 'a token of the metrics, for tests only'
const quiet: Readings = {
  openCommands: async () => [{ state: 'unknown', count: 2, oldestAt: new Date(Date.now() - 90_000).toISOString() }],
  policyVersion: () => 'f00d',
  journalWaitSeconds: async () => 3,
  witness: async () => ({ lagSeconds: 20, isConflict: true }),
  auditSink: async () => ({ waitingEntries: 4, lagSeconds: 30 }),
  limitUse: async () => [{ kind: 'deposit.confirm', of: 'sum', share: 0.4 }],
  storeIsReady: async () => true,
  streams: () => 3,
  hubConnections: () => ({ connected: 1, away: 0 }),
  storePool: async () => ({ idle: 1, used: 2, waiting: 0 }),
}

afterEach(() => {
  for (const name of ['meters', 'metrics']) putPerProcess(name, undefined)
})

test('what is on no list counts as other: no id, address, e-mail or secret is in any label', async () => {
  const registry = startMetrics(knownLabels, quiet)
  const before = (await registry.metrics()).split('\n').length
  const canaries = Array.from({ length: 2_000 }, () => `/users/${randomUUID()}?email=ana@example.com&token=s3cret`)
  for (const canary of canaries) {
    meters().request(canary, canary, canary, 0.1)
    meters().serviceCall(`GET ${canary}`, canary, 0.1)
    meters().command(canary, canary)
    meters().stepUp(canary)
    meters().tokenRefresh('sso', canary)
  }
  const text = await registry.metrics()
  expect(text).not.toMatch(/example\.com|s3cret|[0-9a-f]{8}-[0-9a-f]{4}/)
  expect(text).toContain('console_http_requests_total{route="other",method="other",status="other"} 2000')
  expect(text.split('\n').length - before).toBeLessThan(45)
})

test('what happens is counted by template, and what is under way is read when it is asked for', async () => {
  const registry = startMetrics(knownLabels, quiet)
  meters().request('/users/[id]', 'GET', '2xx', 0.02)
  meters().serviceCall('GET /api/v1/Transaction/{referenceId}', 'lost', 1)
  meters().command('deposit.confirm', 'unknown')
  meters().spans('lost', 7)
  meters().connectionRefused()
  const text = await registry.metrics()
  for (const line of [
    'console_http_requests_total{route="/users/[id]",method="GET",status="2xx"} 1',
    'console_service_calls_total{endpoint="GET /api/v1/Transaction/{referenceId}",status="lost"} 1',
    'console_commands_total{kind="deposit.confirm",state="unknown"} 1',
    'console_spans_total{result="lost"} 7',
    'console_connections_refused_total 1',
    'console_commands_open{state="unknown"} 2',
    'console_streams_open 3',
    'console_store_ready 1',
    'console_witness_lag_seconds 20',
    'console_witness_conflict 1',
    'console_audit_sink_waiting_entries 4',
    'console_audit_sink_lag_seconds 30',
    'console_store_pool_connections{state="used"} 2',
  ])
    expect(text).toContain(line)
  expect(text).toMatch(/console_commands_open_oldest_age_seconds\{state="unknown"\} 9\d/)
})

test.each([
  ['522', '5xx'],
  ['501', '5xx'],
  ['451', '4xx'],
  ['503', '503'],
  ['999', 'other'],
])('counts the status %s of the service as %s', async (status, label) => {
  const registry = startMetrics(knownLabels, quiet)
  meters().serviceCall('GET /api/v1/cards', status, 1)
  expect(await registry.metrics()).toContain(
    `console_service_calls_total{endpoint="GET /api/v1/cards",status="${label}"} 1`,
  )
})

test('a store that cannot be read has no number of commands, rather than none', async () => {
  const out = { openCommands: () => Promise.reject(new Error('out')), storeIsReady: async () => false }
  const text = await startMetrics(knownLabels, { ...quiet, ...out }).metrics()
  expect(text).not.toMatch(/^console_commands_open/m)
  expect(text).toContain('console_store_ready 0')
})

test('a value that cannot be read is absent, not zero', async () => {
  const out = { journalWaitSeconds: () => Promise.reject(new Error('out')) }
  const none = { witness: async () => null, auditSink: async () => null }
  const text = await startMetrics(knownLabels, { ...quiet, ...out, ...none }).metrics()
  expect(text).not.toMatch(/^console_(journal|witness|audit_sink)_/m)
})

test('without the right token, and on the main port beside a port of their own, nobody reads metrics', async () => {
  startMetrics(knownLabels, quiet)
  const behind = { port: null, host: '127.0.0.1', token: TOKEN }
  const status = async (access: Parameters<typeof metricsOnMainPort>[0], authorization: string | null) =>
    (await metricsOnMainPort(access, authorization)).status
  for (const wrong of [
    null,
    '',
    'Bearer',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    TOKEN,
    `bearer ${TOKEN}`,
  ])
    expect(await status(behind, wrong)).toBe(401)
  expect(await status(behind, `Bearer ${TOKEN}`)).toBe(200)
  expect(await status({ ...behind, port: 9464 }, `Bearer ${TOKEN}`)).toBe(404)
  expect(await status({ ...behind, token: null }, null)).toBe(404)
})

test('a port of their own answers metrics and nothing else, and asks for the token where there is one', async () => {
  startMetrics(knownLabels, quiet)
  const server = await serveMetrics({ port: 0, host: '127.0.0.1', token: TOKEN })
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const status = async (path: string, init: RequestInit = {}) => (await fetch(base + path, init)).status
  const headers = { authorization: `Bearer ${TOKEN}` }
  expect(await status('/api/metrics', { headers })).toBe(200)
  expect(await status('/api/metrics')).toBe(401)
  expect(await status('/api/metrics', { method: 'POST', headers })).toBe(404)
  expect(await status('/api/commands', { headers })).toBe(404)
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
