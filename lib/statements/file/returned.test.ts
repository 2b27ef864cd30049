import { describe, expect, test } from 'vitest'
import { debitKey, isKeyOf, isSameAccount, markReturned } from './returned.ts'
import type { Debit, PaymentLine } from './statement.ts'

const payment = (change: Partial<PaymentLine> = {}): PaymentLine => ({
  account: 'ATL-100',
  place: 1,
  reference: 'DEP-1234',
  amount: '250.00',
  currency: 'BZD',
  bankReference: 'BANK-1',
  bookedOn: '2026-11-20',
  valueDate: '',
  text: '',
  payerName: '',
  payerAccount: '',
  ...change,
})

const debit = (change: Partial<Debit> = {}): Debit => ({
  account: 'ATL-100',
  amount: '250',
  currency: 'BZD',
  references: ['DEP-1234'],
  text: '',
  isReversal: false,
  bookedOn: '2026-11-20',
  where: 'line 9',
  ...change,
})

const marked = (payments: readonly PaymentLine[], ...debits: Debit[]): readonly boolean[] =>
  markReturned(payments, debits).lines.map(({ returned }) => returned !== '')

describe('a payment went back', () => {
  test.each([
    ['by its reference', debit()],
    ['by the bank’s reference in another case', debit({ references: ['bank-1'] })],
    ['by its reference in the text', debit({ references: [], text: 'Return of dep-1234, account closed' })],
    ['by a reversal without a name', debit({ references: [], isReversal: true })],
    ['by a debit of an unknown account', debit({ account: '' })],
    ['by a debit without a currency, which is BZD', debit({ currency: '' })],
  ])('%s', (_how, taken) => expect(marked([payment()], taken)).toEqual([true]))

  test.each([
    ['an account of the payer', 'NL91ABNA0417164300'],
    ['the account of the file', 'ATL-100'],
  ])('but is not named by %s', (_what, reference) => {
    const same = { reference, bankReference: '' }
    expect(marked([payment(same)], debit({ references: [reference], text: reference }))).toEqual([false])
  })

  test('and the line says where', () =>
    expect(markReturned([payment()], [debit()]).lines[0]?.returned).toBe(
      'The money went back: paid out again at line 9 of this file.',
    ))
})

describe('of equal payments, the return takes', () => {
  const [short, long] = [payment({ reference: 'ISL-100', bankReference: 'B-1' }), payment({ reference: 'ISL-1004' })]

  test.each([
    ['the one that a reference names', debit({ references: ['ISL-1004'], text: 'Return ISL-100' })],
    ['the one that the text names whole', debit({ references: [], text: 'Return ISL-1004, closed' })],
  ])('%s', (_which, taken) => expect(marked([short, long], taken)).toEqual([false, true]))

  test('the one with the longer name in the text', () =>
    expect(
      marked([short, payment({ reference: 'ISL-100-4' })], debit({ references: [], text: 'Return ISL-100-4' })),
    ).toEqual([false, true]))

  test('the one of which it gives more references', () => {
    const twins = [payment(), payment({ bankReference: 'BANK-2' })]
    expect(marked(twins, debit({ references: ['DEP-1234', 'BANK-2'] }))).toEqual([false, true])
  })
})

describe('a payment stays', () => {
  test.each([
    ['after a debit of another amount', debit({ amount: '249.99' })],
    ['after a debit in another currency', debit({ currency: 'USD' })],
    ['after a debit of another account', debit({ account: 'ATL-200' })],
    ['after a debit that names another payment', debit({ references: ['DEP-9'] })],
    ['after a debit without a name', debit({ references: [] })],
    ['after a debit with its reference in a longer one', debit({ references: [], text: 'Return DEP-12345' })],
    ['after a debit with its reference in a word', debit({ references: [], text: 'Return XDEP-1234' })],
  ])('%s', (_when, other) => expect(marked([payment()], other)).toEqual([false]))

  test.each(['NONREF', 'NOTPROVIDED', 'Not Provided'])('if its stored bank reference is %s', (bankReference) =>
    expect(marked([payment({ bankReference })], debit({ references: [bankReference] }))).toEqual([false]),
  )

  test('if a reversal without a name fits two', () =>
    expect(marked([payment(), payment({ place: 2 })], debit({ references: [], isReversal: true }))).toEqual([
      false,
      false,
    ]))

  test('after a reversal without a name of another account', () => {
    const reversal = debit({ references: [], isReversal: true, account: 'ATL-200' })
    expect(marked([payment()], reversal)).toEqual([false])
    expect(marked([payment(), payment({ account: 'ATL-200' })], reversal)).toEqual([false, true])
  })

  test('if one debit took back its twin', () =>
    expect(marked([payment(), payment({ place: 2 })], debit())).toEqual([true, false]))

  test.each([
    ['that names it', debit({ bookedOn: '2026-11-19' })],
    ['without a name', debit({ bookedOn: '2026-11-19', references: [], text: 'RETURN', isReversal: true })],
  ])('after an earlier debit %s', (_how, earlier) => {
    const { lines, debits } = markReturned([payment()], [earlier])
    expect([lines[0]?.returned, debits]).toEqual(['', [earlier]])
    const [later, before] = [payment(), payment({ bookedOn: '2026-11-18' })]
    expect(marked([later, before], earlier)).toEqual([false, true])
    expect(marked([payment({ bookedOn: '20/11/2026' })], earlier)).toEqual([true])
  })
})

test('debits that took back nothing are kept for earlier files', () => {
  const other = debit({ references: ['DEP-9'] })
  expect(markReturned([payment()], [debit(), other, debit({ amount: '1', references: [] })]).debits).toEqual([other])
})

test.each([
  ['37040044/0532013000', 'DE89 3704 0044 0532 0130 00', true],
  ['', 'ATL-100', true],
  ['ATL-100', 'atl 100', true],
  ['100', 'ATL-100', false],
  ['ATL-100', 'ATL-200', false],
  ['37040044/532013000', 'DE89370400440532013000', true],
  ['37040044/0532013000EUR', 'DE89370400440532013000', true],
  ['NL91ABNA0417164300 EUR', 'NL91ABNA0417164300', true],
  ['37040044/32013000', 'DE89370400440532013000', false],
  ['7712-BZD', '7712-USD', false],
  ['7712-BZD', '7712', false],
])('accounts %s and %s: same is %s', (one, other, same) => expect(isSameAccount(one, other)).toBe(same))

test.each([
  ['another account', { account: 'ATL-200' }, false],
  ['another spelling of the account', { account: 'atl 100' }, true],
  ['another order of its references', { references: ['dep-1234', 'B-1'] }, true],
  ['another reference', { references: ['DEP-1235', 'B-1'] }, false],
  ['another amount', { amount: '251' }, false],
])('the key of a debit with %s', (_what, change, isEqual) => {
  const key = (one: Partial<Debit>) => debitKey(debit({ references: ['B-1', 'DEP-1234'], ...one }))
  expect(key(change) === key({})).toBe(isEqual)
})

test('the key of a debit without references is of its text', () => {
  const key = (one: Partial<Debit>) => debitKey(debit({ references: [], ...one }))
  const whole = { text: 'Rent DEP-1', keyText: 'Rent' }
  expect(key(whole)).not.toBe(key({ text: 'Rent DEP-2', keyText: 'Rent' }))
  const isOf = (text: string) => isKeyOf(debit({ references: [], ...whole }), key({ text }))
  expect(['Rent DEP-1', 'Rent', 'Rent DEP-2'].map(isOf)).toEqual([true, true, false])
  expect(key({ text: 'Rent DEP-1' })).not.toBe(key({ text: 'Rent' }))
  expect(key({ text: 'DEP-1', keyText: '' })).not.toBe(key({ text: 'DEP-2', keyText: '' }))
})
