import { expect, test } from 'vitest'
import { ageTarget, ageTargetWords } from './case-state.ts'

const all = (hours: number) => ({ hours, spans: null })
const NOW = Date.parse('2026-07-10T00:00:00.000Z')

test.each([
  ['2026-07-09T23:59:59.0000000Z', 72, 'within'],
  ['2026-07-07T18:00:00.0010000Z', 72, 'within'],
  ['2026-07-07T18:00:00.0000000Z', 72, 'nearing'],
  ['2026-07-07T00:00:00.0010000Z', 72, 'nearing'],
  ['2026-07-07T00:00:00.0000000Z', 72, 'over'],
  ['2024-01-01T00:00:00.0000000Z', 72, 'over'],
  ['2026-07-09T23:15:00.0010000Z', 1, 'within'],
  ['2026-07-09T23:15:00.0000000Z', 1, 'nearing'],
  ['2026-07-09T23:00:00.0000000Z', 1, 'over'],
  // By a clock that is ahead of ours.
  ['2026-07-11T00:00:00.0000000Z', 72, 'within'],
] as const)('a case opened at %s, with a target of %s hours, is %s', (createdAt, hours, target) => {
  expect(ageTarget(createdAt, NOW, { hours, spans: null })).toBe(target)
})

test('each has a word, and a sentence that names the target', () => {
  expect(ageTargetWords('over', all(72))).toEqual({
    word: 'over',
    sentence: 'Over the target: the case is open for 72 hours or longer.',
  })
  expect(ageTargetWords('within', all(1)).sentence).toContain('1 hour.')
  expect(ageTargetWords('nearing', all(1_000)).sentence).toContain('1,000 hours')
})

test('counts working time alone under a calendar', () => {
  const day = (date: string) => [Date.parse(`${date}T08:00Z`), Date.parse(`${date}T16:00Z`)] as const
  // The last eight hours of work before Friday, 00:00: Thursday's.
  const office = { hours: 8, spans: [day('2026-07-09'), day('2026-07-10')] }
  expect(ageTarget('2026-07-09T12:00:00Z', NOW, office)).toBe('within')
  expect(ageTarget('2026-07-09T10:00:00Z', NOW, office)).toBe('nearing')
  expect(ageTarget('2026-07-08T20:00:00Z', NOW, office)).toBe('over')
  expect(ageTarget('2026-07-09T12:00:00Z', Date.parse('2026-07-10T12:00Z'), office)).toBe('over')
  expect(ageTargetWords('over', office).sentence).toContain('8 working hours')
})
