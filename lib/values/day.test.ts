import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, dayOf, dayStart, daysBefore, isDay, isZone } from './time.ts'

describe('a day begins', () => {
  test.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', 'America/Belize', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20', 'Asia/Kathmandu', '2026-11-19T18:15:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
    // Clocks go back on this day, and forward on that.
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    // There is no midnight on this day: the clock goes from 0:00 to 1:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    // There are two hours before midnight: the clock goes from 24:00 back to 23:00.
    ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, start) => {
    expect(dayStart(day, zone)).toBe(start)
  })

  test('where the one before ends, in every zone', () => {
    const zones = fc.constantFrom('UTC', 'America/Belize', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe')
    const days = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(days, zones, (date, zone) => {
        const day = date.toISOString().slice(0, 10)
        const start = Date.parse(dayStart(day, zone))
        const local = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(ms)
        expect([local(start), local(start - 1) < day]).toEqual([day, true])
        expect(Date.parse(dayStart(dayAfter(day), zone))).toBeGreaterThan(start)
      }),
    )
  })
})

test.each(['2026-11-20', '2024-02-29'])('%s is a day', (text) => expect(isDay(text)).toBe(true))
test.each(['', '2026-02-30', '2026-13-01', '20.11.2026', '2026-11-20T00:00', 'tomorrow'])('%j is no day', (text) =>
  expect(isDay(text)).toBe(false),
)
test('a zone is one that the calendar knows', () => {
  expect(['UTC', 'America/Belize', '', 'Mars/Olympus', "'"].map(isZone)).toEqual([true, true, false, false, false])
})

test.each([
  ['2026-11-20T03:00:00.000Z', 'UTC', '2026-11-20'],
  ['2026-11-20T03:00:00.000Z', 'America/Belize', '2026-11-19'],
  ['2026-11-20T23:30:00.000Z', 'Asia/Tokyo', '2026-11-21'],
])('at %s it is in %s the day %s', (moment, zone, day) => {
  expect(dayOf(Date.parse(moment), zone)).toBe(day)
})

test('days before go over months, and over a day that the clock makes shorter', () => {
  expect([daysBefore('2026-03-01', 1), daysBefore('2026-03-30', 2), daysBefore('2026-01-03', 6)]).toEqual([
    '2026-02-28',
    '2026-03-28',
    '2025-12-28',
  ])
})
