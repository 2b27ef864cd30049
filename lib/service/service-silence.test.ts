import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putPerProcess, steadyNow } from '#lib/config/per-process.ts'
import type { Exchanged } from '#lib/http/exchange.ts'
import { onServiceSilence, recordCall, serviceSilentSince } from './client.ts'

const FIRST = '2026-11-27T10:42:00.000Z'

const answered = (status: number): Exchanged => ({ kind: 'answer', status, headers: {}, body: '' })
const lost: Exchanged = { kind: 'lost', why: 'time-out' }
const record = (answer: Exchanged): void => recordCall(answer, steadyNow())

beforeEach(() => {
  putPerProcess('service silence', undefined)
  vi.useFakeTimers({ now: Date.parse(FIRST) })
})
afterEach(() => void vi.useRealTimers())

test.each<[string, Exchanged]>([
  ['a time-out', lost],
  ['a refused connection', { kind: 'not-sent', why: 'ECONNREFUSED' }],
  ['502', answered(502)],
  ['503', answered(503)],
  ['504', answered(504)],
])('%s is no answer', (_what, answer) => {
  record(answer)
  expect(serviceSilentSince()).toBe(FIRST)
})

test.each([200, 401, 404, 429, 500])('%d is an answer and ends the silence', (status) => {
  record(lost)
  record(answered(status))
  expect(serviceSilentSince()).toBeNull()
})

test('a problem of the service itself is an answer', () => {
  record(lost)
  const body = JSON.stringify({ type: 'urn:ocs:error:core::gatekeeper::grant::invalid', status: 503 })
  record({ kind: 'answer', status: 503, headers: {}, body })
  expect(serviceSilentSince()).toBeNull()
})

test('keeps the time of the first failed call', () => {
  record(lost)
  vi.advanceTimersByTime(60_000)
  record(answered(503))
  expect(serviceSilentSince()).toBe(FIRST)
})

test('ignores a call that failed while another was answered', () => {
  const beganMs = steadyNow()
  vi.advanceTimersByTime(1_000)
  record(answered(200))
  vi.advanceTimersByTime(9_000)
  recordCall(lost, beganMs)
  expect(serviceSilentSince()).toBeNull()
})

test('notices a silence after the clock was set back', () => {
  vi.advanceTimersByTime(3_600_000)
  record(answered(200))
  vi.setSystemTime(Date.parse(FIRST))
  record(lost)
  expect(serviceSilentSince()).toBe(FIRST)
})

test('reports the beginning and the end once', () => {
  const seen: (string | null)[] = []
  const stop = onServiceSilence(() => seen.push(serviceSilentSince()))
  for (const answer of [answered(200), lost, lost, answered(200), answered(404)]) record(answer)
  stop()
  record(lost)
  expect(seen).toEqual([FIRST, null])
})
