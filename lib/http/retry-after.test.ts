import { expect, test } from 'vitest'
import { retryAfter } from './exchange.ts'

const utc = (ms: number): string => new Date(ms).toUTCString()

test.each(['2020-01-01T10:00:00Z', '2090-01-01T10:00:00Z'])('counts a pause by the service’s clock: %s', (now) => {
  const serviceMs = Date.parse(now)
  expect(retryAfter({ date: utc(serviceMs), 'retry-after': utc(serviceMs + 30_000) })).toBe(30)
})

test('counts a pause by this clock without the service’s', () => {
  expect(retryAfter({ 'retry-after': utc(Date.now() - 30_000) })).toBe(0)
})

test.each([
  ['7', 7],
  ['soon', null],
] as const)('reads %s as %s', (value, seconds) => {
  expect(retryAfter({ 'retry-after': value })).toBe(seconds)
})
