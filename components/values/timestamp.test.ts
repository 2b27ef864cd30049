import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { correctServerClock, serverNowMs, setServerClock } from './timestamp.tsx'

const SERVER_MS = Date.parse('2026-11-20T18:00:00.250Z')
const HOUR_MS = 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.stubGlobal('window', {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A page whose answer arrived two seconds ago, on a workstation whose clock is off. */
function openPage(offMs: number): void {
  vi.setSystemTime(SERVER_MS + offMs + 2_000)
  vi.spyOn(performance, 'now').mockReturnValue(5_000)
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ responseStart: 3_000 } as PerformanceNavigationTiming])
  setServerClock(SERVER_MS)
}

const answeredAt = (ms: number) => ({ headers: new Headers({ date: new Date(ms).toUTCString() }) })

test.each([-3 * HOUR_MS, 0, 3 * HOUR_MS])('tells the server’s present when the browser is %i ms off', (offMs) => {
  openPage(offMs)
  expect(serverNowMs()).toBe(SERVER_MS + 2_000)
})

test('keeps its offset when an answer is a moment late', () => {
  openPage(0)
  correctServerClock(answeredAt(SERVER_MS - 1_000))
  correctServerClock({ headers: new Headers() })
  expect(serverNowMs()).toBe(SERVER_MS + 2_000)
})

test('follows the server after the browser’s clock was set', () => {
  openPage(0)
  vi.setSystemTime(SERVER_MS - HOUR_MS)
  correctServerClock(answeredAt(SERVER_MS + 10_000))
  expect(Math.abs(serverNowMs() - SERVER_MS - 10_000)).toBeLessThan(1_000)
})

test('never changes the clock of the server itself', () => {
  openPage(0)
  const before = serverNowMs() - Date.now()
  vi.unstubAllGlobals()
  setServerClock(0)
  expect(serverNowMs() - Date.now()).toBe(before)
})
