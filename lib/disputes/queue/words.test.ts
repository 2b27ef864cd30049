import { expect, test } from 'vitest'
import { caseCountWords } from './words.ts'

test('cases are counted by how they ended, the open ones last', () => {
  expect(
    caseCountWords([
      { status: 'OPEN', outcome: null, count: 1 },
      { status: 'RESOLVED', outcome: 'RELEASED', count: 1 },
      { status: 'RESOLVED', outcome: 'REFUNDED', count: 1_202 },
    ]),
  ).toBe('1,204 other cases: 1,202 refunded, 1 released, 1 open')
})

test('none and one are told in the singular', () => {
  expect(caseCountWords([])).toBe('No other cases')
  expect(caseCountWords([{ status: 'OPEN', outcome: null, count: 1 }])).toBe('1 other case: 1 open')
})

test('what the interface does not name stands as it came, and a missing outcome is said to be missing', () => {
  expect(
    caseCountWords([
      { status: 'OPEN', outcome: null, count: 1 },
      { status: 'WITHDRAWN', outcome: null, count: 1 },
      { status: 'RESOLVED', outcome: 'SPLIT', count: 1 },
      { status: 'RESOLVED', outcome: null, count: 2 },
    ]),
  ).toBe('5 other cases: 1 SPLIT, 1 WITHDRAWN, 2 resolved, outcome not given, 1 open')
})
