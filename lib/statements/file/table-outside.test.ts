import { describe, expect, test } from 'vitest'
import { readFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'

const read = (rows: readonly string[], mapping: ColumnMapping | null) =>
  readFile(new TextEncoder().encode(rows.join('\n')), mapping)

const MAPPING: ColumnMapping = {
  ...{ headings: true, reference: 1, amount: 2, bankReference: null, bookedOn: 0, currency: null, text: null },
  ...{ decimalMark: 'point', dateOrder: null },
}

const faultOf = (rows: readonly string[], mapping: ColumnMapping | null = MAPPING) => {
  const file = read(rows, mapping)
  return file.kind === 'broken' ? `${file.faults[0]?.place}: ${file.faults[0]?.what}` : ''
}

const HEAD = 'Date,Ref,Amount'
const [PENDING, BOOKED] = ['2026-05-05,A,250.00', '2026-05-06,B,90.00']

describe('a title of one cell', () => {
  const titles = ['Pending Transactions', 'Pending', 'Vorgemerkte Umsätze', 'Ausstehende', 'Opérations en attente']

  test.each(titles)('“%s” refuses lines below it that may not be booked', (title) => {
    const fault = `The lines below “${title}” may not be booked. Remove them from the file.`
    expect(faultOf([HEAD, title, PENDING])).toBe(`2: ${fault}`)
    expect(faultOf([HEAD, BOOKED, title, PENDING])).toBe(`3: ${fault}`)
    expect(faultOf([title, HEAD, PENDING])).toBe(`1: ${fault}`)
    expect(faultOf([`${title},,`, HEAD, PENDING])).toBe(`1: ${fault}`)
    expect(faultOf([title, PENDING, BOOKED], null)).toBe(`1: ${fault}`)
  })

  test.each(['Pending: 0.00', 'Pendientes: 0', 'Pending (0)'])('that counts nothing is no title: %s', (line) =>
    expect(read([line, HEAD, BOOKED], MAPPING)).toMatchObject({ lines: [{ reference: 'B' }] }),
  )

  test.each([
    [[HEAD, 'Pending', PENDING, 'Posted transactions', BOOKED]],
    [[HEAD, 'Pending,,', PENDING, 'Posted,,', BOOKED]],
    [['Pending', HEAD, PENDING, 'Posted', BOOKED]],
    [['Pending', HEAD, PENDING, 'Posted', HEAD, BOOKED]],
  ])('leaves out lines between titles: %j', (rows) => {
    expect(read(rows, MAPPING)).toMatchObject({
      lines: [{ reference: 'B' }],
      summary: { counts: { 'not-booked': 1 } },
    })
  })

  test('says nothing about lines below “Posted”', () => {
    const rows = ['Pending', 'None', 'Posted', HEAD, PENDING, BOOKED, 'Pending']
    expect(read(rows, MAPPING)).toMatchObject({ lines: [{ reference: 'A' }, { reference: 'B' }] })
  })

  test('adds no text to a column of directions', () => {
    const rows = [`${HEAD},D/C`, 'Pending', `${PENDING},C`, 'Posted', `${BOOKED},D`]
    expect(read(rows, null)).toMatchObject({ head: { values: [[], ['A', 'B'], [], ['C', 'D']] } })
  })
})

test('a payment above the headings is named', () => {
  const what =
    'This line above the table has a date and an amount. If it is a payment, move it into the table; otherwise remove it.'
  expect(faultOf(['2026-05-04,5.00', HEAD, BOOKED])).toBe(`1: ${what}`)
  expect(faultOf(['Title', '2026-05-04,X,5.00,', HEAD, BOOKED])).toBe(`2: ${what}`)
})

describe('padded lines above', () => {
  const payments = ['01.05.2026;ACME;DEP-1;100,00', '02.05.2026;4711;DEP-2;20,00']

  test.each([
    [['Customer;ACME Ltd;;']],
    [['Bank of X;;;', 'Customer;ACME Ltd;;']],
    [['Customer;ACME Ltd;;', 'Account;12345678;;']],
  ])('are no headings: %j', (above) => {
    const columns = ['01.05.2026', 'ACME', 'DEP-1', '100,00']
    expect(read([...above, ...payments], null)).toMatchObject({ head: { headings: false, columns } })
    const unknown = ['Tarih', 'Ad', 'Kod', 'Tutar']
    expect(read([...above, unknown.join(';'), ...payments], null)).toMatchObject({ head: { columns: unknown } })
  })

  test('are no payments if they are labelled', () => {
    const rows = ['Printed:;01.05.2026;12;', 'Date;Name;Ref;Amount', ...payments]
    expect(read(rows, { ...MAPPING, reference: 2, amount: 3, decimalMark: null })).toMatchObject({ lines: [{}, {}] })
  })
})

describe('dates up to the 12th above a footer', () => {
  const rows = [HEAD, '03/04/2026,A,250.00', '04/04/2026,B,90.00']
  const footers = ['Printed on 13/04/2026', '13/04/2026 10:15,,', '2026-04-05 10:15,,', 'Printed,13/04/2026', 'End,,']

  test.each(footers)('are asked about: %s', (footer) => {
    const table = [...rows, footer]
    expect(read(table, null)).toMatchObject({ head: { dates: [{ verdict: 'undecided' }, {}, {}] } })
    expect(faultOf(table)).toMatch(/^2: “03\/04\/2026” is ambiguous/)
    expect(read(table, { ...MAPPING, dateOrder: 'mdy' })).toMatchObject({
      lines: [{ bookedOn: '2026-03-04' }, { bookedOn: '2026-04-04' }],
    })
  })

  test('are read above a dated balance in fewer columns', () => {
    const table = [...rows, 'Balance,,340.00,13/04/2026,x']
    expect(read(table, { ...MAPPING, dateOrder: 'dmy' })).toMatchObject({ lines: [{}, {}] })
  })

  test.each(['Printed,13/04/2026,5.00,x', 'Printed,5.00', '05/04/2026,C', 'A-7,13/04/2026'])(
    'are not read above a line that may be cut: %s',
    (line) => expect(faultOf([...rows, line])).toMatch(/^4: This line has a different number of columns/),
  )
})

describe('a dated line that names no payment', () => {
  const mapping = { ...MAPPING, reference: null, text: 1 }
  const rows = [HEAD, '2026-05-05,A,250.00', '2026-05-06,B,-90.00', '2026-05-06,C,2.00']

  test.each(['', 'Zárókör', 'Kapanış'])('may be the sum of those above: “%s”', (label) => {
    const wide = rows.map((row, at) => `${row},${at === 0 ? 'Balance,Account' : '9.99,4711'}`)
    for (const [table, given, sum] of [
      [[...rows, `2026-05-07,${label},162.00`], mapping, '162.00'],
      [[...rows, `2026-05-07,${label},252.00`], mapping, '252.00'],
      [[...rows, `2026-05-07,${label},162.00`], MAPPING, '162.00'],
      [[...wide, `2026-05-07,${label},162.00,162.00,4711`], mapping, '162.00'],
    ] as const) {
      const what = `“${sum}” is the sum of the lines above. It may be a balance or total, and no payment.`
      expect(read(table, given)).toMatchObject({ lines: [{}, {}, {}], summary: { remarks: [{ place: 5, what }] } })
    }
  })

  test.each(['Saldo anterior', 'Previous balance', 'Total 30/04/2026'])('is a payment of its payer: %s', (text) => {
    const table = ['Date,Name,Amount,Text', '2026-05-05,Ana,20.00,a', `2026-05-06,Ben Klein,33.00,${text}`]
    const given = { ...MAPPING, reference: null, payerName: 1, text: 3 }
    expect(read(table, given)).toMatchObject({ lines: [{}, { amount: '33.00' }], leftOut: 0 })
  })

  test.each([
    [rows.concat('2026-05-07,,163.00')],
    [rows.concat('2026-05-07,Top-up 7,162.00')],
    [rows.concat('2026-05-07,C,162.00')],
    [[HEAD, '2026-05-05,,100.00', '2026-05-06,,100.00', '2026-05-07,,200.00']],
    [[HEAD, '2026-05-05,A,100.00', '2026-05-06,B,100.00']],
    [[`${HEAD},Name`, '2026-05-05,A,100.00,X', '2026-05-06,B,100.00,Y', '2026-05-07,C,200.00,Z']],
  ])('is read if it is no sum, or like others: %j', (table) => {
    const file = read(table, mapping)
    expect(file.kind === 'whole' && file.lines.length + file.leftOut).toBe(table.length - 1)
    expect(file).toMatchObject({ lines: expect.arrayContaining([expect.objectContaining({ place: table.length })]) })
  })

  test('is read by its reference', () => {
    expect(read([...rows, '2026-05-07,7,162.00'], MAPPING)).toMatchObject({ lines: [{}, {}, { reference: '7' }] })
  })

  test.each(['Slutsaldo', 'Saldo końcowe', 'Solde', 'Closing balance 07/05/2026', 'Balance as of 2026-05-07'])(
    'is skipped as a balance: %s',
    (label) => {
      const file = read([...rows, `2026-05-07,${label},1000.00`], mapping)
      expect(file).toMatchObject({ lines: [{}, {}], summary: { counts: { total: 1 } } })
      expect(read([...rows, `2026-05-07,${label} Ltd,1000.00`], mapping)).toMatchObject({ lines: [{}, {}, {}] })
    },
  )
})
