import { expect, test } from 'vitest'
import { timeKey } from '#lib/disputes/thread/thread.ts'
import { ageOf, byAge, type QueueRow, type QueueSince, queueChangesOf } from './queue.ts'

const row = (id: string, change: Partial<QueueRow> = {}): QueueRow => ({
  id,
  reference: `reference of ${id}`,
  status: 'OPEN',
  createdAt: '2026-07-01T10:00:00.1234567Z',
  resolvedAt: null,
  reason: 'The goods never came.',
  raisedBy: 'ana',
  against: 'ben',
  outcome: null,
  category: null,
  answerBy: null,
  claim: null,
  thread: null,
  notices: [],
  ...change,
})

const NOW = Date.parse('2026-07-10T00:00:00.000Z')

test.each([
  ['2026-07-09T00:00:00.0010000Z', 'day'],
  ['2026-07-08T23:59:59.0000000Z', 'three'],
  ['2026-07-07T00:00:00.0000000Z', 'week'],
  ['2026-07-03T00:00:01.0000000Z', 'week'],
  ['2026-07-03T00:00:00.0000000Z', 'older'],
  ['2026-07-11T00:00:00.0000000Z', 'day'],
  ['2024-01-01T00:00:00.0000000Z', 'older'],
])('a case opened at %s is of the age "%s"', (createdAt, age) => {
  expect(ageOf(createdAt, NOW)).toBe(age)
})

test('sorts cases by all seven digits, then by id', () => {
  const times = ['2026-07-01T10:00:00.12Z', '2026-07-01T10:00:00.1200001Z', '2026-07-01T10:00:01Z']
  const rows = times.map((createdAt, at) => row(`c${9 - at}`, { createdAt }))
  const same = row('c0', { createdAt: '2026-07-01T10:00:00.1200000Z' })
  expect(
    [...rows, same]
      .toReversed()
      .toSorted(byAge)
      .map(({ id }) => id),
  ).toEqual(['c0', 'c9', 'c8', 'c7'])
  expect(timeKey('2026-07-01T10:00:00Z')).toBe('2026-07-01T10:00:00.0000000')
})

test('tells new, changed and gone cases; moved ones are not gone', () => {
  const shown = [row('a'), row('b'), row('c'), row('d'), row('f')]
  const now = [row('e'), row('b', { claim: { name: 'x', mine: false } }), row('a'), row('d', { status: 'RESOLVED' })]
  const since: QueueSince = { arrived: 2, arrivedHere: ['e'], elsewhere: [row('f')] }
  expect(queueChangesOf(shown, { rows: now, since })).toEqual({
    added: 2,
    changed: ['b', 'd'],
    gone: ['c'],
    moved: true,
  })
  const still = { arrived: 0, arrivedHere: [], elsewhere: [] }
  expect(queueChangesOf(shown, { rows: shown, since: still })).toEqual({
    added: 0,
    changed: [],
    gone: [],
    moved: false,
  })
  expect(queueChangesOf(shown, { rows: shown.toReversed(), since: still })).toMatchObject({ changed: [], moved: true })
})
