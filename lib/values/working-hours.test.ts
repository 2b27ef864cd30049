import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workingMsIn } from './time.ts'
import { type Calendar, readWorkingHours, spansAround, workingMsAfter, workingMsBefore } from './working-hours.ts'

const HOUR = 3_600_000
const calendarOf = (text: string, zone = 'UTC'): Calendar => {
  const read = readWorkingHours(text)
  if (read === null) throw new Error(text)
  return { ...read, zone }
}
const at = (text: string): number => Date.parse(text)
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16)

test.each([
  ['Mon-Fri 08:00-17:00', { weekdays: [1, 2, 3, 4, 5], from: 480, to: 1_020, closed: [] }],
  ['Sat-Mon,Wed 00:00-24:00', { weekdays: [6, 0, 1, 3], from: 0, to: 1_440, closed: [] }],
  [
    'Mon 08:00-08:30 except 2026-12-25,2027-01-01',
    { weekdays: [1], from: 480, to: 510, closed: ['2026-12-25', '2027-01-01'] },
  ],
])('reads %s', (text, hours) => {
  expect(readWorkingHours(text)).toEqual(hours)
})

test.each([
  '',
  'Mon-Fri',
  'Mo-Fr 08:00-17:00',
  'Mon-Fri 17:00-08:00',
  'Mon-Fri 8-17',
  'Mon 08:00-24:30',
  'Mon 08:61-09:00',
  'Mon 08:00-09:00 except soon',
  'Mon 08:00-09:00 except 2026-02-30',
  'Mon 08:00-09:00 except 2026-06-31',
  'Mon-Wed-Fri 08:00-09:00',
])('refuses %s', (text) => {
  expect(readWorkingHours(text)).toBeNull()
})

describe('time passes', () => {
  const office = calendarOf('Mon-Fri 08:00-17:00 except 2026-12-25')

  test('only in working hours', () => {
    // Friday, 16:00: one hour is left of the week.
    expect(iso(workingMsAfter(at('2026-12-18T16:00Z'), 2 * HOUR, office))).toBe('2026-12-21T09:00')
    expect(iso(workingMsAfter(at('2026-12-19T10:00Z'), HOUR, office))).toBe('2026-12-21T09:00')
    expect(iso(workingMsBefore(at('2026-12-21T09:00Z'), 2 * HOUR, office))).toBe('2026-12-18T16:00')
  })

  test('not on closed days', () => {
    expect(iso(workingMsAfter(at('2026-12-24T16:00Z'), 2 * HOUR, office))).toBe('2026-12-28T09:00')
  })

  test('by the clock of its zone, also when that changes', () => {
    const berlin = calendarOf('Sun 01:00-05:00', 'Europe/Berlin')
    const spans = spansAround(at('2026-03-29T12:00Z'), 3 * HOUR, 0, berlin)
    expect(spans.map(([from, to]) => [iso(from), iso(to)])).toEqual([['2026-03-29T00:00', '2026-03-29T03:00']])
    for (const [day, end] of [
      ['2026-03-29', '2026-03-29T21:30'],
      ['2026-10-25', '2026-10-25T22:30'],
    ] as const) {
      const late = calendarOf('Sun 08:00-23:30', 'Europe/Berlin')
      expect(iso(spansAround(at(`${day}T12:00Z`), HOUR, 0, late).at(-1)?.[1] ?? 0)).toBe(end)
    }
    const belize = calendarOf('Mon-Fri 08:00-17:00', 'America/Belize')
    expect(iso(workingMsAfter(at('2026-12-21T00:00Z'), HOUR, belize))).toBe('2026-12-21T15:00')
  })

  test('the same forwards and backwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 200 }), (hoursLater, hours) => {
        const since = workingMsBefore(at('2026-12-01T08:00Z') + hoursLater * HOUR, hours * HOUR, office)
        const until = workingMsAfter(since, hours * HOUR, office)
        const spans = spansAround(until, hours * HOUR, 3, office)
        expect(workingMsIn(spans, since, until)).toBe(hours * HOUR)
      }),
    )
  })

  test('never under a calendar without open days', () => {
    const closed = { ...office, closed: [], weekdays: [] }
    expect(workingMsAfter(at('2026-12-01T08:00Z'), HOUR, closed)).toBe(Number.POSITIVE_INFINITY)
    expect(workingMsBefore(at('2026-12-01T08:00Z'), HOUR, closed)).toBe(0)
  })
})
