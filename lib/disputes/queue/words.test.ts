import { describe, expect, test } from 'vitest'
import { queueOf } from '#lib/testing/queue-of.ts'
import { caseCountWords, chosenWords, noneWords } from './words.ts'

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

describe('why a case was chosen', () => {
  const nowMs = Date.parse('2026-07-10T05:00:00.000Z')
  const ranked = { nowMs, narrowed: false }
  const late = {
    dueAt: '2026-07-10T00:00:00.000Z',
    over: true,
    turn: 'us',
    unread: true,
    silent: false,
  } as const
  const young = { ...late, dueAt: '2026-07-13T00:00:00.000Z', over: false } as const
  test.each([
    [late, 'over target by 5 h, and a party wrote last'],
    [{ ...late, silent: true, unread: false }, 'over target by 5 h, and no one has written'],
    [{ ...late, turn: 'unknown' }, 'over target by 5 h'],
    [{ ...late, turn: 'party' }, 'over target by 5 h'],
    [{ ...late, dueAt: '2026-07-10T05:00:00.000Z', turn: 'party' }, 'over target'],
    [young, 'a party wrote last, unread by you'],
    [{ ...young, unread: false }, 'a party wrote last'],
    [{ ...young, turn: 'unknown' }, 'oldest unassigned case'],
  ] as const)('%o: %s', (urgent, words) => {
    expect(chosenWords(urgent, ranked)).toBe(words)
  })

  test('names the filter for the oldest case in it', () => {
    expect(chosenWords({ ...young, turn: 'party' }, { ...ranked, narrowed: true })).toBe(
      'oldest unassigned case in the filter',
    )
  })
})

test('says plainly why no case is next, without claiming more', () => {
  const now = new Date().toISOString()
  const whole = { ...queueOf([], { index: { completeAt: now } }), adminView: 'proved', unreadable: 0 } as const
  expect(noneWords(whole)).toBe('No unassigned case can be assigned to you.')
  const filter = { ...whole.filter, text: 'refund' }
  expect(noneWords({ ...whole, filter })).toBe('No unassigned case matches the filter.')
  expect(noneWords({ ...whole, unreadable: 1 })).toMatch(/Part of the list cannot be read/)
  expect(noneWords({ ...whole, adminView: 'not-proved' })).toMatch(/there may be others/)
  expect(noneWords({ ...whole, index: { ...whole.index, completeAt: null } })).toMatch(/not known yet/)
  const old = { ...whole.index, completeAt: '2026-07-02T12:00:00.000Z', reading: { pages: 1, of: 4 } }
  expect(noneWords({ ...whole, index: old })).toBe('The next case is not known yet. Reading the list: 1 of 4 pages.')
  expect(noneWords({ ...whole, index: { ...whole.index, shortfall: 'moved' } })).toMatch(/not known yet.*changed twice/)
  const turns = { us: 0, party: 0, unknown: 3 }
  expect(noneWords({ ...whole, filter: { ...filter, turn: 'us' }, counts: { ...whole.counts, turns } })).toMatch(
    /Not all messages have been read here/,
  )
})
