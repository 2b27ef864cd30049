import { describe, expect, test } from 'vitest'
import {
  bankReferenceFault,
  compareAmounts,
  confirmFault,
  depositSteps,
  foldBankReference,
  referenceFault,
} from './deposit.ts'
import { Money } from './money.ts'

const money = (text: string): Money => Money.fromWire(text)!

describe('a reference as typed', () => {
  test.each(['DEP~1', 'with space', 'a/b', 'ü?#', 'x'.repeat(512)])('%j can be looked up', (reference) => {
    expect(referenceFault(reference)).toBeNull()
  })
  test('an empty one and one of 5,000 characters cannot', () => {
    expect(referenceFault('  ')).toContain('Enter the reference')
    expect(referenceFault('x'.repeat(5000))).toContain('5,000 characters')
  })
})

test('bank references that differ in case, width or spacing only are one', () => {
  const folded = ['ATL-1 2', ' atl-1  2 ', 'ＡＴＬ-1 2', 'atl-1\t2'].map(foldBankReference)
  expect(new Set(folded)).toEqual(new Set(['ATL-1 2']))
  expect(foldBankReference('ATL-12')).not.toBe('ATL-1 2')
  expect(bankReferenceFault(' ')).not.toBeNull()
  expect(bankReferenceFault('x'.repeat(141))).not.toBeNull()
})

test('amounts are compared as decimals, and a difference says which way', () => {
  expect(compareAmounts(money('250'), money('250.00000000')).match).toBe(true)
  const less = compareAmounts(money('9'), money('10'))
  expect(!less.match && [less.difference.toShown(), less.statementIsMore]).toEqual(['1.00', false])
  const more = compareAmounts(money('10.00000001'), money('10'))
  expect(!more.match && [more.difference.toShown(), more.statementIsMore]).toEqual(['0.00000001', true])
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
