import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutInvisible } from '#lib/values/text.ts'
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

/** Each is `ATL-2026-0042` as a PDF, a chat or an attacker may write it. */
const VARIANTS: readonly string[] = [
  'ATL\u200B-2026-0042',
  'ATL-20\u00AD26-0042',
  'ATL-2026\u2060-0042',
  'ATL-2026-0042\uFE0F',
  'ATL-2026-00\u034F42',
  'ATL\u3164-2026-0042',
  'ATL-2026-0042\u{E0041}',
  'ATL\u20112026\u20110042',
  'ATL\u22122026\u20130042',
  'A\u200ETL-2026-0042',
  'ATL-2026-\u28000042',
  'ATL-2026-00\u202842',
  '\uFEFFATL-\uFEFF2026-0042',
  'ATL-2026-0042\u115F\uFFA0',
  'ＡＴＬ－2026\uFE630042',
  'atl-2026-0042\u0001',
]

test.each(VARIANTS)('reads %j as one bank reference', (variant) => {
  expect(foldBankReference(variant)).toBe('ATL-2026-0042')
  expect(bankReferenceFault(variant)).toBeNull()
})

test('refuses a bank reference of invisible characters alone', () => {
  expect(bankReferenceFault('\u200B\u00AD \u3164')).toContain('Enter the bank’s reference')
})

test('folds a folded bank reference to itself', () => {
  const parts = [...'ATLatlß-1 ', 'ﬁ', '\u0301', '\u0345', '\u0130', '\u01F0', '\u1100', '\u1161', '\u2057', '\u207B']
  const invisible = [
    '\u200B',
    '\u00AD',
    '\u034F',
    '\u3164',
    '\uFFA0',
    '\uFEFF',
    '\u2028',
    '\u2800',
    '\uFE0F',
    '\u{E0041}',
  ]
  const unit = fc.oneof(
    fc.constantFrom(...parts, ...invisible),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const [written, seen] = [units.join(''), units.filter((it) => !invisible.includes(it)).join('')]
      const folded = foldBankReference(written)
      expect(foldBankReference(folded)).toBe(folded)
      expect(foldBankReference(seen)).toBe(folded)
      expect(foldBankReference(withoutInvisible(written))).toBe(folded)
    }),
    { numRuns: 5_000 },
  )
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
    [{ state: 'PROCESSED' }, 'Only a queued deposit'],
    [{ state: 'SOMETHING_NEW' }, 'SOMETHING_NEW'],
    [{ credit: '10.00000001' }, '0.00000001 more than the sender pays'],
    [{ debit: 'ten' }, 'cannot be read'],
    [{ transactionType: 'DEPOSIT' }, null],
    [{ transactionType: 'P2P' }, 'a transfer between wallets'],
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
  ['not started', { ...noTimes, state: 'PENDING' }, { kind: 'ahead' }],
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
