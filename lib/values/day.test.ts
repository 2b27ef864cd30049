import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, dayOf, dayStart, daysBefore, expectedDay, isDay, isZone } from './time.ts'

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

test('every accepted day can be computed with', () => {
  const zones = fc.constantFrom('UTC', 'Pacific/Tongatapu', 'Pacific/Pago_Pago', 'America/Belize', 'Europe/Berlin')
  const days = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  const edges = fc.constantFrom('1969-12-31', '1970-01-01', '9998-12-31', '9999-01-01', '9999-12-31')
  const texts = fc.oneof(
    edges,
    days.map((date) => date.toISOString().slice(0, 10)),
  )
  fc.assert(
    fc.property(texts.filter(isDay), zones, (day, zone) => {
      expect(dayOf(Date.parse(dayStart(day, zone)), zone)).toBe(day)
      expect(dayOf(Date.parse(dayStart(dayAfter(day), zone)), zone)).toBe(dayAfter(day))
      expect(dayAfter(daysBefore(day, 1))).toBe(day)
    }),
  )
  for (const day of ['1970-01-01', '9998-12-31']) expect(isDay(day), day).toBe(true)
})

test('a refused text is no day, or out of range', () => {
  expect(['2026-02-30', 'tomorrow'].map(expectedDay)).toEqual(['a day', 'a day'])
  expect(['0026-11-20', '9999-12-31'].map(expectedDay)).toEqual(Array(2).fill('a day of the years 1970 to 9998'))
})

test.each(['2026-11-20', '2024-02-29'])('%s is a day', (text) => expect(isDay(text)).toBe(true))
test.each([
  ...['', '2026-02-30', '2026-13-01', '20.11.2026', '2026-11-20T00:00', 'tomorrow'],
  ...['0000-01-01', '0026-11-20', '1969-12-31', '9999-01-01', '9999-12-31'],
])('%j is no day', (text) => expect(isDay(text)).toBe(false))
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
