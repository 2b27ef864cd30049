import { expect, test } from 'vitest'
import { ageTarget, ageTargetWords } from './case-state.ts'

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
  expect(ageTarget(createdAt, NOW, hours)).toBe(target)
})

test('each has a word, and a sentence that names the target', () => {
  expect(ageTargetWords('over', 72)).toEqual({
    word: 'over',
    sentence: 'Over the target: the case is open for 72 hours or longer.',
  })
  expect(ageTargetWords('within', 1).sentence).toContain('1 hour.')
  expect(ageTargetWords('nearing', 1_000).sentence).toContain('1,000 hours')
})
