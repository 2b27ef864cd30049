import { describe, expect, test } from 'vitest'
import { rowsOf, separatorOf } from './csv.ts'

const rows = (...lines: readonly string[]) => rowsOf(['Date;Amount;Ref;Text', ...lines].join('\n'))

test.each([
  ['sep=;', '\r\n', '\n', '\n'],
  ['Statement', '\n', '\r\n', '\r\n'],
  ['Statement', '\r\n', '\n', '\r'],
  ['sep=;', '\r', '\r', '\r'],
])('numbers the lines below %j with line ends %j, %j and %j', (above, first, second, third) => {
  const file = `${above}${first}Date;Amount;Ref${second}5 May;1.00;"A;${third}x"${second}${third}6 May;2.00;B`
  expect(rowsOf(file)).toEqual([
    ...(above === 'Statement' ? [{ cells: [above], place: 1 }] : []),
    { cells: ['Date', 'Amount', 'Ref'], place: 2 },
    { cells: ['5 May', '1.00', 'A;\nx'], place: 4 },
    { cells: ['6 May', '2.00', 'B'], place: 6 },
  ])
  expect(separatorOf(file)).toBe(';')
})

test.each([
  [
    'quoted',
    '"Konto";"DE00"\n"alt";"1.000,00 EUR"\n"neu";"1.250,00 EUR"\n"Tag";"Text";"Betrag"\n"13.05.2026";"A";"250,00"',
  ],
  ['not quoted', 'Konto;DE00\nSaldo alt;1000,00\nSaldo neu;1250,00\nTag;Text;Betrag\n13.05.2026;A;250,00'],
])('takes no decimal comma for a separator: %s', (_how, text) => {
  expect(separatorOf(text)).toBe(';')
})

test('takes no decimal comma of every payment for a separator', () => {
  const above = ['Umsätze Girokonto;;;', 'Letzter Kontostand;;;;1.000,00;EUR', 'Tag;Text;Ref;Art;Soll;Haben;Währung']
  const payments = ['05.05.2026;Anna;DEP-1;;;250,00;EUR', '13.05.2026;Cafe;;;-4,50;;EUR']
  const file = [...above, ...payments, 'Kontostand;31.05.2026;;;1.245,50;EUR']
  expect(separatorOf(file.join('\n'))).toBe(';')
  expect(separatorOf('Notes;a;b\nRef,Amount\nA,5.00\nB,6.00')).toBe(',')
})

describe('a quotation mark', () => {
  test.each([
    ['that nothing closes', ['5 May;250,00;Q-1;"Anna', '5 May;90,00;Q-2;Rent', '5 May;40,00;Q-3;"Bob" Ltd']],
    ['that a later row closes', ['5 May;250,00;Q-1;"Anna', '5 May;90,00;Q-2;12"']],
    ['before the last column', ['5 May;250,00;"Q-1;Anna', '5 May;90,00;"Q-2";Rent']],
    ['in the first column', ['"5 May;250,00;Q-1;Anna', '"5 May";90,00;Q-2;Rent']],
  ])('%s never hides a row', (_where, lines) => {
    const what = 'A quotation mark on this line joins it with later lines. Remove the mark or close it.'
    const fault = { ok: false, faults: [{ place: 4, what }] }
    expect(rows('5 May;1,00;Q-0;"first\nsecond"', ...lines)).toEqual(fault)
    expect(rowsOf(['\r\nDate;Amount;Ref;Text\r\n', ...lines].join('\r\n'))).toEqual(fault)
    expect(rowsOf(['\rDate;Amount;Ref;Text\r', ...lines].join('\r'))).toEqual(fault)
    for (const above of ['Account;1;;;;', 'A;1;B;2;C;3'])
      expect(rowsOf([above, 'Date;Amount;Ref;Text\n', ...lines].join('\n'))).toEqual(fault)
  })

  test.each(['Anna\nRent; May; thanks', 'Anna; Rent\n\nthanks', 'one; two; three; four\nthanks'])(
    'around the free text %j is read',
    (text) => {
      expect(rows(`5 May;250,00;Q-1;"${text}"`, '5 May;90,00;Q-2;Rent')).toMatchObject([
        {},
        { cells: ['5 May', '250,00', 'Q-1', text] },
        { cells: ['5 May', '90,00', 'Q-2', 'Rent'] },
      ])
    },
  )

  test('around a text below many narrow lines is read', () => {
    const above = Array.from({ length: 5 }, (_unused, at) => `Key ${at};Value`)
    const payments = ['5 May;"Rent\nMay";250,00;Q-1', '6 May;Gas;90,00;Q-2']
    expect(rowsOf([...above, 'Date;Text;Amount;Ref', ...payments].join('\n'))).toMatchObject([
      ...[...above, 'Date'].map(() => ({})),
      { cells: ['5 May', 'Rent\nMay', '250,00', 'Q-1'] },
      { cells: ['6 May', 'Gas', '90,00', 'Q-2'] },
    ])
  })
})

test('takes no comma in quoted lines for a separator', () => {
  const row = '"13.05.2026";"A, B\nC, D\nE, F\nG, H";"250,00"'
  expect(separatorOf(['"Day";"Text";"Amount"', row, row].join('\n'))).toBe(';')
})
