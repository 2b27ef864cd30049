import { expect, test } from 'vitest'
import { guessMapping } from './guess-mapping.ts'

const guess = (head: string, ...rows: readonly string[]) => {
  const columns = head.split(';')
  const guessed = guessMapping({ columns, sample: rows.map((row) => row.split(';')) })
  const named = Object.entries(guessed.columns).map(([field, at]) => [field, columns[at]])
  return { ...Object.fromEntries(named), mark: guessed.decimalMark }
}

test('common English heads', () => {
  expect(
    guess('Date;Transaction ID;Reference;Amount (BZD);Currency;Description;Balance', 'd;T;R;1,250.00;BZD;t;9'),
  ).toEqual({
    bookedOn: 'Date',
    bankReference: 'Transaction ID',
    reference: 'Reference',
    amount: 'Amount (BZD)',
    currency: 'Currency',
    text: 'Description',
    mark: 'point',
  })
})

test('common German heads, with a comma before the cents', () => {
  expect(
    guess(
      'Buchungstag;Verwendungszweck;Kundenreferenz (End-to-End);Betrag;Währung;Bankreferenz',
      'd;t;R;1.250,00;EUR;B',
    ),
  ).toEqual({
    bookedOn: 'Buchungstag',
    text: 'Verwendungszweck',
    reference: 'Kundenreferenz (End-to-End)',
    amount: 'Betrag',
    currency: 'Währung',
    bankReference: 'Bankreferenz',
    mark: 'comma',
  })
})

test('no column is taken twice, and a head that says nothing is left to the person', () => {
  expect(guess('Ref;Bank ref;Sum;x')).toEqual({ reference: 'Ref', bankReference: 'Bank ref', mark: 'point' })
  expect(guess('a;b')).toEqual({ mark: 'point' })
})

test.each([
  ['1250,5', 'comma'],
  ['1.250,00', 'comma'],
  ['0,00000001', 'comma'],
  ['1,250', 'point'],
  ['1,250.00', 'point'],
  ['1250.00', 'point'],
])('%s is written with a %s before the cents', (amount, mark) => {
  expect(guess('Betrag', amount).mark).toBe(mark)
})
