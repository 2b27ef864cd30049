import { describe, expect, test } from 'vitest'
import { currenciesIn, guessFields, isDate, isShortened, judgeColumn, notReceivedHeading } from './headings.ts'

const guess = (heads: string) => {
  const columns = heads.split(';')
  return Object.fromEntries(Object.entries(guessFields(columns)).map(([field, at]) => [field, columns[at ?? -1]]))
}

describe('guessing the fields', () => {
  test('knows common English headings', () => {
    expect(guess('Date;Transaction ID;Reference;Amount (BZD);Currency;Description;Balance')).toEqual({
      bookedOn: 'Date',
      bankReference: 'Transaction ID',
      reference: 'Reference',
      amount: 'Amount (BZD)',
      currency: 'Currency',
      text: 'Description',
    })
  })

  test('knows common German headings', () => {
    expect(guess('Buchungstag;Verwendungszweck;Kundenreferenz (End-to-End);Betrag EUR;Währung;Bankreferenz')).toEqual({
      bookedOn: 'Buchungstag',
      text: 'Verwendungszweck',
      reference: 'Kundenreferenz (End-to-End)',
      amount: 'Betrag EUR',
      currency: 'Währung',
      bankReference: 'Bankreferenz',
    })
  })

  test('knows headings that name a currency behind a word', () => {
    expect(guess('Umsatz in EUR')).toEqual({ amount: 'Umsatz in EUR' })
    expect(guess('Gutschrift in CHF;Lastschrift in CHF')).toEqual({ amount: 'Gutschrift in CHF' })
    expect(guess('Paid in BZD;Money out')).toEqual({ amount: 'Paid in BZD' })
    expect(notReceivedHeading('Lastschrift in CHF')).toBe('money paid out')
  })

  test('knows common Spanish headings', () => {
    expect(guess('Fecha;Referencia;Concepto;Cargo;Abono;Moneda')).toEqual({
      ...{ bookedOn: 'Fecha', reference: 'Referencia', text: 'Concepto', amount: 'Abono', currency: 'Moneda' },
    })
    expect(guess('Importe;Abono')).toEqual({ amount: 'Importe' })
  })

  test('takes no column twice and leaves others alone', () => {
    expect(guess('Ref;Bank ref;Sum;x')).toEqual({ reference: 'Ref', bankReference: 'Bank ref' })
    expect(guessFields(['Amount', 'Amount', 'Ref'])).toEqual({ amount: 0, reference: 2 })
    expect(guess('a;b')).toEqual({})
  })
})

test.each([
  ['Amount (USD)', ['USD']],
  ['amount_usd', ['USD']],
  ['Betrag in EUR', ['EUR']],
  ['Amount USD equivalent', ['USD']],
  ['Amount BZ$', ['BZD']],
  ['Amount in US dollars', ['USD']],
  ['Betrag (€)', ['EUR']],
  ['Amount (USD/BZD)', ['USD', 'BZD']],
  ['Amount', []],
  ['Amount ($)', []],
  ['USD AMOUNT', ['USD']],
  ['TOP UP AMOUNT', []],
  ['TOP UP AMOUNT BZD', ['BZD']],
  ['Amount of all', []],
  ['Amount (TOP)', ['TOP']],
])('the heading %s names %j', (heading, currencies) => {
  expect(currenciesIn(heading)).toEqual(currencies)
})

test.each([
  ['Debit', 'money paid out'],
  ['Paid out (BZD)', 'money paid out'],
  ['Soll', 'money paid out'],
  ['Saldo', 'balances'],
  ['Credit', null],
  ['Amount', null],
])('a column “%s” holds %s', (heading, what) => {
  expect(notReceivedHeading(heading)).toBe(what)
})

describe('a column of directions or states', () => {
  test.each([
    ['S/H', ['H', 'S'], 'direction', 1],
    ['Soll/Haben', ['Haben', 'Soll'], 'direction', 1],
    ['D/C', ['C', 'C', ''], 'direction', 2],
    ['Debit/Credit', ['Debit'], 'direction', 0],
    ['Dr/Cr', ['CR', 'DR'], 'direction', 1],
    ['Af Bij', ['Bij', 'Af'], 'direction', 1],
    ['Sign', ['+', '-'], 'direction', 1],
    ['Direction', ['x'], 'direction', 0],
    ['CdtDbtInd', ['CRDT', 'DBIT'], 'direction', 1],
    ['Column of nothing', ['C', 'D'], 'direction', 1],
    ['Column of nothing', ['S', 'S'], 'direction', 0],
    ['Kind', ['Transfer', 'Withdrawal'], 'direction', 1],
    ['Type', ['Top-up', 'Fee'], 'direction', 1],
    ['Typ', ['Obciążenie', 'Uznanie'], 'direction', 0],
    ['Tipo', ['Entrada', 'Saída'], 'direction', 1],
    ['Luokka', ['Pano', 'Otto'], 'direction', 1],
    ['Bevétel/Kiadás', ['inflow', 'outflow'], 'direction', 1],
    ['Pohyb', ['Příjem', 'Výdej'], 'direction', 1],
    ['Status', ['Booked', 'Pending'], 'status', 1],
    ['Status', ['Booked', ''], 'status', 1],
    ['State', ['COMPLETED', 'REVERTED'], 'status', 1],
    ['State', ['COMPLETED', 'Pending review'], 'status', 1],
    ['State', ['COMPLETED', ''], 'status', 1],
    ['Info', ['Umsatz gebucht', 'Umsatz vorgemerkt'], 'status', 1],
    ['Anything', ['declined'], 'status', 0],
  ] as const)('“%s” with %j is a %s column', (heading, cells, says, at) => {
    expect(judgeColumn(heading, cells, 'unmapped')).toEqual({ says, at })
  })

  test.each([
    ['S/H', ['H', 'H']],
    ['Debit/Credit', ['Credit', 'Credit']],
    ['Debit/Credit', ['', '']],
    ['Debit/Credit', ['250,00', '90,00']],
    ['Status', ['Completed', 'Posted']],
    ['State', ['Cayo', 'Corozal']],
    ['Notes', ['-', '-']],
    ['Notes', ['CR', 'CR']],
    ['Side', ['CR', '']],
    ['Notes', ['Transfer', '']],
    ['Type', ['Transfer', 'Card']],
    ['Type', ['Deposit', 'Interest']],
    ['Class', ['A', 'B', 'C']],
    ['Name', ['Total Ltd', 'Debit Services Ltd']],
    ['Branch', ['12', '14']],
  ])('“%s” with %j is none', (heading, cells) => {
    expect(judgeColumn(heading, cells, 'unmapped')).toBeNull()
  })

  test('is told from what payers write', () => {
    expect(judgeColumn('Text', ['withdrawal', 'rent'], 'text')).toBeNull()
    expect(judgeColumn('Text', ['pending', 'rent'], 'text')).toBeNull()
    expect(judgeColumn('Text', ['credit', 'debit'], 'text')).toEqual({ says: 'direction', at: 1 })
    expect(judgeColumn('Date', ['d', 'd'], 'mapped')).toBeNull()
  })
})

test.each([
  '2026-05-05',
  '2026-05-05T12:00:00Z',
  '05.05.2026',
  '5/5/26',
  '20260505',
  '05-May-26',
  '5 May 2026',
  'May 5, 2026',
  '05.05.2026 12:30',
])('%s is a date', (text) => {
  expect(isDate(text)).toBe(true)
})

test.each(['', 'Date', '250.00', '1.250', 'DEP-2026', '4711', 'invoice'])('%j is no date', (text) => {
  expect(isDate(text)).toBe(false)
})

test('a number that a spreadsheet shortened is recognised', () => {
  expect(['2,02605E+15', '2.02605E+15', '1E+20'].every(isShortened)).toBe(true)
  expect(['DEP-1', '4711', '1E10', 'E+15'].some(isShortened)).toBe(false)
})
