import { beforeEach, expect, test } from 'vitest'
import { ageTarget } from '#lib/disputes/case-state.ts'
import { timeKey } from '#lib/disputes/thread/thread.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { decisionTarget, dueAt, overTargetKey } from './decision-target.ts'

/** Monday, 10:00 in Belize. */
const NOW = Date.parse('2026-12-21T16:00:00Z')
const OFFICE = { DISPUTE_TARGET_CALENDAR: 'Mon-Fri 08:00-17:00', BUSINESS_ZONE: 'America/Belize' }

beforeEach(() => freshConsole({ DISPUTE_TARGET_HOURS: '9' }))

test('counts all time without a calendar', () => {
  expect(decisionTarget(NOW)).toEqual({ hours: 9, spans: null })
  expect(overTargetKey(NOW)).toBe(timeKey('2026-12-21T07:00:00.000Z'))
  expect(dueAt('2026-12-21T07:00:00Z')).toBe('2026-12-21T16:00:00.000Z')
})

test('list, page and next case agree on who is late', async () => {
  await freshConsole({ DISPUTE_TARGET_HOURS: '9', ...OFFICE })
  const target = decisionTarget(NOW)
  // Friday, 10:00 in Belize: nine working hours ago.
  const limit = Date.parse('2026-12-18T16:00:00Z')
  expect(overTargetKey(NOW)).toBe(timeKey(new Date(limit).toISOString()))
  for (const minutes of [-60, -1, 0, 1, 60, 600]) {
    const createdAt = new Date(limit + minutes * 60_000).toISOString()
    const isOver = minutes <= 0
    expect([createdAt, ageTarget(createdAt, NOW, target) === 'over']).toEqual([createdAt, isOver])
    expect([createdAt, Date.parse(dueAt(createdAt)) <= NOW]).toEqual([createdAt, isOver])
    expect([createdAt, timeKey(createdAt) <= overTargetKey(NOW)]).toEqual([createdAt, isOver])
  }
})

test('an open page keeps counting', async () => {
  await freshConsole({ DISPUTE_TARGET_HOURS: '9', ...OFFICE })
  const target = decisionTarget(NOW)
  const createdAt = '2026-12-18T22:00:00Z'
  expect(ageTarget(createdAt, NOW, target)).toBe('within')
  expect(ageTarget(createdAt, NOW + 7 * 3_600_000, target)).toBe('over')
})

test('names a due time when working hours are few', async () => {
  const few = { DISPUTE_TARGET_CALENDAR: 'Sun 09:00-10:00' }
  await freshConsole({ DISPUTE_TARGET_HOURS: '8760', ...few })
  expect(Date.parse(dueAt('2026-12-21T07:00:00Z'))).toBeGreaterThan(NOW)
})
