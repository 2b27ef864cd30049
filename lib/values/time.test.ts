import { afterEach, expect, test, vi } from 'vitest'
import {
  absoluteDay,
  ageText,
  formatBoth,
  formatClock,
  formatDay,
  formatLocal,
  formatMoment,
  isDayOrRelative,
  relativeTime,
  timeInText,
  withLocalTimes,
} from './time.ts'

vi.hoisted(() => vi.stubEnv('TZ', 'America/St_Johns'))

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

test.each([
  [2, 'now', 'now'],
  [36, '36 s', '36 s ago'],
  [300, '5 min', '5 min ago'],
  [7_200, '2 h', '2 h ago'],
  [5 * 86_400, '5 d', '5 d ago'],
  [29 * 86_400, '29 d', null],
  [-300, 'now', 'in 5 min'],
])('a time %s seconds ago is told with its unit', (seconds, age, relative) => {
  expect(ageText(ago(seconds), NOW)).toBe(age)
  expect(relativeTime(ago(seconds), NOW)).toBe(relative)
})

test('shows times in texts in the zone of the reader', () => {
  const time = '2026-11-20T18:05:33.1234567Z'
  const text = `Assigned to ana@example.com at ${timeInText(time)}. Look at it again.`
  expect(text).toContain(' at 2026-11-20 18:05:33 UTC. ')
  expect(withLocalTimes(text)).toBe(`Assigned to ana@example.com at ${formatLocal(time)}. Look at it again.`)
  expect(withLocalTimes('This case is unassigned.')).toBe('This case is unassigned.')
})

test('formats a time in the zone of the reader and UTC', () => {
  const time = '2026-09-20T01:05:33.1234567Z'
  const local = '19 Sept 2026, 22:35:33 UTC−2:30'
  expect(formatBoth(time, 'local')).toEqual([local, '20 Sept 2026, 01:05:33 UTC'])
  expect(formatBoth(time, 'utc')).toEqual(['20 Sept 2026, 01:05:33 UTC', local])
  expect([formatDay(time, 'local'), formatDay(time, 'utc')]).toEqual(['19 Sept 2026', '20 Sept 2026'])
  expect([formatClock(time, 'local', 'second'), formatClock(time, 'utc', 'minute')]).toEqual(['22:35:33', '01:05 UTC'])
  const momentsAt = (now: string) => [
    formatMoment(time, 'local', Date.parse(now)),
    formatMoment(time, 'utc', Date.parse(now)),
  ]
  expect(momentsAt(time)).toEqual(['19 Sept 22:35', '20 Sept 01:05 UTC'])
  expect(momentsAt('2025-06-01T00:00:00Z')[1]).toMatch(/^20 Sept \d{4} 01:05 UTC$/)
})

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['today', 'UTC', '2026-11-20'],
  ['today', 'America/Belize', '2026-11-19'],
  ['today', 'Pacific/Kiritimati', '2026-11-20'],
  ['yesterday', 'UTC', '2026-11-19'],
  ['yesterday', 'America/Belize', '2026-11-18'],
  ['today-6', 'UTC', '2026-11-14'],
  ['today-20', 'America/Belize', '2026-10-30'],
  ['2026-01-01', 'America/Belize', '2026-01-01'],
  ['', 'UTC', ''],
])('counts a relative day in its zone: %s, %s', (text, zone, day) => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T05:59:59.000Z'), toFake: ['Date'] })
  expect(absoluteDay(text, zone)).toBe(day)
})

test.each(['tomorrow', 'today+1', 'today-', 'today-1000', 'Today', '2026-02-30'])('refuses %s as a day', (text) => {
  expect(isDayOrRelative(text)).toBe(false)
})
