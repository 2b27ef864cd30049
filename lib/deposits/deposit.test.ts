import { describe, expect, test } from 'vitest'
import { compareAmounts, confirmFault } from './amounts.ts'
import { bankReferenceFault, depositSteps, foldBankReference, type Hold, holdOf, isFinal } from './deposit.ts'

test.each(['DEP\0', 'DEP\ud800'])('a bank reference of %j holds what cannot be sent', (reference) => {
  expect(bankReferenceFault(reference)).toContain('cannot be sent')
})

test('bank references that differ in case, width or spacing only are one', () => {
  const folded = ['ATL-1 2', ' atl-1  2 ', 'ＡＴＬ-1 2', 'atl-1\t2'].map(foldBankReference)
  expect(new Set(folded)).toEqual(new Set(['ATL-1 2']))
  expect(foldBankReference('ATL-12')).not.toBe('ATL-1 2')
  expect(bankReferenceFault(' ')).not.toBeNull()
  expect(bankReferenceFault('x'.repeat(141))).not.toBeNull()
})

test('compares amounts as decimals and says which is more', () => {
  expect(compareAmounts('250', '250.00000000')).toEqual({ match: true })
  expect(compareAmounts('9', '10')).toEqual({ match: false, difference: '1.00000000', statementIsMore: false })
  expect(compareAmounts('10.00000001', '10')).toEqual({
    match: false,
    difference: '0.00000001',
    statementIsMore: true,
  })
  expect([compareAmounts('ten', '10'), compareAmounts('10', 'ten')]).toEqual([null, null])
})

describe('what speaks against confirming', () => {
  const facts = { state: 'QUEUED', debit: '10.00000000', credit: '10.00000000' }
  test.each([
    [{}, null],
    [{ credit: '9.00000000' }, null],
    [{ state: 'PROCESSED' }, 'Only a queued one'],
    [{ state: 'SOMETHING_NEW' }, 'SOMETHING_NEW'],
    [{ credit: '10.00000001' }, '0.00000001 more than the sender pays'],
    [{ debit: 'ten' }, 'cannot be read'],
  ])('%o', (change, words) => {
    const fault = confirmFault({ ...facts, ...change })
    if (words === null) expect(fault).toBeNull()
    else expect(fault).toContain(words)
  })
})

test('the steps show where a deposit is, and nothing for a state off the way', () => {
  const places = (state: string) => depositSteps(state).map(({ place }) => place)
  expect(places('QUEUED')).toEqual(['now', 'ahead', 'ahead', 'ahead'])
  expect(places('PROCESSING')).toEqual(['behind', 'behind', 'now', 'ahead'])
  expect(places('PROCESSED')).toEqual(['behind', 'behind', 'behind', 'behind'])
  expect(places('BLOCKED')).toEqual([])
})

const CONFIRMED_AT = '2026-11-20T10:00:00.000Z'
const A_DAY_LATER = '2026-11-21T10:00:00.000Z'
const SETTLED_AT = '2026-11-21T10:00:03.0000000Z'
const noTimes = { settledAt: null, endsAt: null, heldSince: null, nowMs: Date.parse(CONFIRMED_AT) }
const afterwards = { ...noTimes, nowMs: Date.parse(A_DAY_LATER) }

test.each<[what: string, known: Parameters<typeof holdOf>[0], hold: Hold]>([
  ['told', { ...noTimes, state: 'PROCESSING', endsAt: A_DAY_LATER }, { kind: 'ends', at: A_DAY_LATER, latest: false }],
  [
    'seen',
    { ...noTimes, state: 'PROCESSING', heldSince: CONFIRMED_AT },
    { kind: 'ends', at: A_DAY_LATER, latest: true },
  ],
  [
    'told, over by the service’s clock',
    { ...afterwards, state: 'PROCESSING', endsAt: A_DAY_LATER },
    { kind: 'ended', at: A_DAY_LATER },
  ],
  [
    'seen, over by the service’s clock',
    { ...afterwards, state: null, heldSince: CONFIRMED_AT },
    { kind: 'ended', at: null },
  ],
  ['neither told nor seen', { ...noTimes, state: 'PROCESSING' }, { kind: 'not-told' }],
  [
    'told, unread by now',
    { ...noTimes, state: null, endsAt: A_DAY_LATER },
    { kind: 'ends', at: A_DAY_LATER, latest: false },
  ],
  ['unread', { ...noTimes, state: null }, { kind: 'not-told' }],
  ['not begun', { ...noTimes, state: 'PENDING' }, { kind: 'ahead' }],
  [
    'over',
    { ...noTimes, state: 'PROCESSED', settledAt: SETTLED_AT, endsAt: A_DAY_LATER },
    { kind: 'ended', at: SETTLED_AT },
  ],
  ['failed', { ...noTimes, state: 'FAIL', endsAt: A_DAY_LATER }, { kind: 'none' }],
  ['disputed', { ...noTimes, state: 'DISPUTED', endsAt: A_DAY_LATER }, { kind: 'not-told' }],
  ['of a state that is new', { ...noTimes, state: 'ON_THE_MOON', endsAt: A_DAY_LATER }, { kind: 'not-told' }],
])('a hold that is %s', (_what, known, hold) => {
  expect(holdOf(known)).toEqual(hold)
})

test('what is final needs no further look', () => {
  expect(
    ['QUEUED', 'PENDING', 'PROCESSING', 'DISPUTED', 'BLOCKED', 'NEW', 'PROCESSED', 'FAIL'].filter(isFinal),
  ).toEqual(['PROCESSED', 'FAIL'])
})
