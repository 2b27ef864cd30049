import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { msAhead } from '#lib/http/exchange.ts'
import { endByThisClock, lockedSeconds } from './client.ts'

const SERVICE_NOW = '2026-11-20T10:00:00.000Z'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['61 s ahead', '2026-11-20T10:01:01.000Z'],
  ['61 s behind', '2026-11-20T09:58:59.000Z'],
  ['right', SERVICE_NOW],
])('a lock of 25 s is one of 25 s on a machine whose clock is %s', (_how, now) => {
  vi.setSystemTime(now)
  expect(lockedSeconds('2026-11-20T10:00:25.0000000Z', SERVICE_NOW)).toBe(25)
  expect(lockedSeconds('2026-11-20T09:59:59.0000000Z', SERVICE_NOW)).toBeNull()
})

test('an answer without a date is judged by this machine', () => {
  vi.setSystemTime(SERVICE_NOW)
  expect(msAhead('2026-11-20T10:00:25.0000000Z', null)).toBe(25_000)
})

test('no lock is none', () => {
  expect(lockedSeconds(null, SERVICE_NOW)).toBeNull()
})

test('a grant ends by the service’s clock, not within a minute', () => {
  vi.setSystemTime('2026-11-20T09:00:00.000Z')
  const expiresAt = '2026-11-20T10:05:00.0000000Z'
  expect(endByThisClock(expiresAt, SERVICE_NOW)).toBe('2026-11-20T09:05:00.000Z')
  vi.setSystemTime('2026-11-20T11:00:00.000Z')
  expect(endByThisClock(expiresAt, SERVICE_NOW)).toBe('2026-11-20T11:05:00.000Z')
  const gatewayNow = '2026-11-20T10:05:01.000Z'
  for (const date of [null, gatewayNow]) expect(endByThisClock(expiresAt, date)).toBe('2026-11-20T11:01:00.000Z')
})
