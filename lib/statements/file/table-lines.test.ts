import { describe, expect, test } from 'vitest'
import { readFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'
import type { NamedMapping } from './table.ts'

const read = (rows: readonly string[], mapping: ColumnMapping | NamedMapping | null) =>
  readFile(new TextEncoder().encode(rows.join('\n')), mapping)

const MAPPING: ColumnMapping = {
  ...{ headings: true, reference: 1, amount: 2, bankReference: null, bookedOn: 0, currency: null, text: null },
  decimalMark: 'point',
}

const faultOf = (rows: readonly string[], mapping: ColumnMapping) => {
  const file = read(rows, mapping)
  return file.kind === 'broken' ? `${file.faults[0]?.place}: ${file.faults[0]?.what}` : ''
}

const NAMED: NamedMapping = {
  ...{ reference: 'Ref', amount: 'Amount', bankReference: null, bookedOn: 'Date', currency: null, text: null },
  decimalMark: null,
}

describe('a column of directions', () => {
  const rows = ['Date,Ref,Amount,S/H', '2026-05-05,A,250.00,H', '2026-05-05,B,90.00,S', '2026-05-06,C,5.00,H']
  const direction = { column: 3, values: { H: true, S: false } }

  test('is guessed with the meaning of known texts', () => {
    expect(read(rows, null)).toMatchObject({
      head: { values: [[], ['A', 'B', 'C'], [], ['H', 'S']] },
      draft: { direction, status: null },
    })
  })

  test('separates money received from money paid out', () => {
    expect(read(rows, { ...MAPPING, direction })).toMatchObject({
      lines: [{ reference: 'A' }, { reference: 'C' }],
      summary: { counts: { 'paid-out': 1 } },
    })
  })

  test('can be mapped by its heading', () => {
    const byHeading = (column: string) => read(rows, { ...NAMED, direction: { column, values: direction.values } })
    expect(byHeading('S/H')).toMatchObject({ lines: [{ reference: 'A' }, { reference: 'C' }], leftOut: 1 })
    expect(byHeading('C/D')).toMatchObject({ faults: [{ what: 'Column “C/D” not found. Map the columns again.' }] })
  })

  test('with a text that is not mapped refuses the table', () => {
    const mapping = { ...MAPPING, direction: { column: 3, values: { H: true } } }
    expect(faultOf(rows, mapping)).toBe('3: “S” in column “S/H” is not mapped. Map the columns again.')
    const blank = [...rows, '2026-05-06,D,5.00,']
    expect(faultOf(blank, { ...MAPPING, direction })).toMatch(/^5: An empty cell in column/)
    const values = { ...direction.values, '': false }
    expect(read(blank, { ...MAPPING, direction: { column: 3, values } })).toMatchObject({ leftOut: 2 })
  })

  test('that is not mapped refuses the table', () => {
    expect(faultOf(rows, MAPPING)).toMatch(/gives the direction, and this line has “S” there\. Map this column/)
  })
})

test('a column of states leaves out what is not booked', () => {
  const rows = ['Date,Ref,Amount,State', '2026-05-05,A,250.00,COMPLETED', '2026-05-05,B,90.00,PENDING']
  const status = { column: 3, values: { COMPLETED: true, PENDING: false } }
  expect(read(rows, null)).toMatchObject({ draft: { status, direction: null } })
  expect(read(rows, { ...MAPPING, status })).toMatchObject({
    lines: [{ reference: 'A' }],
    summary: { counts: { 'not-booked': 1 } },
  })
})

describe('a column of amounts paid out', () => {
  const rows = (...lines: readonly string[]) => ['Date,Ref,Credit,Debit', ...lines]
  const mapping = { ...MAPPING, paidOut: 3 }

  test('is guessed and counted', () => {
    const table = rows(
      '2026-05-05,A,250.00,',
      '2026-05-05,B,,90.00',
      '2026-05-05,C,0.00,7.00',
      '2026-05-05,D,5.00,0.00',
    )
    expect(read(table, null)).toMatchObject({ draft: { amount: 2, paidOut: 3 } })
    expect(read(table, mapping)).toMatchObject({
      lines: [{ reference: 'A' }, { reference: 'D' }],
      summary: { counts: { 'paid-out': 2 } },
    })
  })

  test('beside an amount received refuses the line', () => {
    expect(faultOf(rows('2026-05-05,A,250.00,90.00'), mapping)).toMatch(/^2: .*received and an amount paid out/)
    expect(faultOf(rows('2026-05-05,A,,x'), mapping)).toMatch(/^2: “x” is not an amount/)
  })
})

test('takes a heading of amounts alone for the headings', () => {
  const mapping = { ...MAPPING, reference: 1, amount: 0, bookedOn: null }
  const rows = ['Kontoauszug;', 'Summe in EUR;', '12.50;A', '13.50;B']
  const lines = [{ amount: '12.50', currency: 'EUR', reference: 'A' }, { reference: 'B' }]
  expect(read(rows.slice(1), mapping)).toMatchObject({ lines })
  expect(read(rows, mapping)).toMatchObject({ lines, summary: { remarks: [{ place: 1 }] } })
})

test('reads value date, payer and a currency for all amounts', () => {
  const rows = ['Date,Ref,Amount,Value,Name,Account', '2026-05-05,A,250.00,2026-05-06,Anna Payer,42']
  const mapping = { ...MAPPING, valueDate: 3, payerName: 4, payerAccount: 5, currencyCode: 'BZD' }
  expect(read(rows, mapping)).toMatchObject({
    lines: [{ valueDate: '2026-05-06', payerName: 'Anna Payer', payerAccount: '42', currency: 'BZD' }],
  })
  const named = ['Date,Ref,Amount (USD)', '2026-05-05,A,250.00']
  expect(read(named, { ...MAPPING, currencyCode: 'BZD' })).toMatchObject({ lines: [{ currency: 'USD' }] })
})

describe('dates', () => {
  const table = (...days: readonly string[]) => ['Date,Ref,Amount', ...days.map((day, at) => `${day},R${at},1${at}.50`)]
  const daysOf = (days: readonly string[], change: Partial<ColumnMapping> = {}) => {
    const file = read(table(...days), { ...MAPPING, dateOrder: null, ...change })
    return file.kind === 'whole' ? file.lines.map(({ bookedOn }) => bookedOn) : file.kind
  }

  test('become ISO dates where the column decides their order', () =>
    expect(daysOf(['03/04/2026', '13/04/2026'])).toEqual(['2026-04-03', '2026-04-13']))

  test('are asked about where it does not', () => {
    const ambiguous = table('03/04/2026', '05/04/2026')
    expect(faultOf(ambiguous, { ...MAPPING, dateOrder: null })).toBe(
      '2: “03/04/2026” is ambiguous, and so are all dates in its column. Choose the order of day and month.',
    )
    expect(daysOf(['03/04/2026', '05/04/2026'], { dateOrder: 'mdy' })).toEqual(['2026-03-04', '2026-05-04'])
    expect(read(ambiguous, { ...NAMED, dateOrder: 'mdy' })).toMatchObject({
      lines: [{ bookedOn: '2026-03-04' }, { bookedOn: '2026-05-04' }],
    })
  })

  test('stay as written, with a remark, without a choice', () => {
    const file = read(table('03/04/2026', '05/04/2026'), MAPPING)
    expect(file).toMatchObject({ lines: [{ bookedOn: '03/04/2026' }, { bookedOn: '05/04/2026' }] })
    expect(file).toMatchObject({
      summary: { remarks: [{ place: 2, what: expect.stringContaining('not converted') }] },
    })
  })

  test('with the year first stay as written, with a remark', () =>
    expect(read(table('26-05-05', '26-05-31'), { ...MAPPING, dateOrder: 'dmy' })).toMatchObject({
      lines: [{ bookedOn: '26-05-05' }, { bookedOn: '26-05-31' }],
      summary: { remarks: [{ place: 2, what: expect.stringMatching(/^Dates have an unknown order .*“26-05-05”/) }] },
    }))

  test('that do not exist refuse the table', () =>
    expect(faultOf(table('13/04/2026', '31/02/2026'), { ...MAPPING, dateOrder: null })).toBe(
      '3: The date “31/02/2026” does not exist. Export the file again.',
    ))

  test.each(['30.02.2026', '31/04/2026', '2025-02-29', '20260230', '02/30/2026', '30 Feb 2026'])(
    'of interest stay as written: %s',
    (day) => {
      const rows = (value: string) => ['Date,Ref,Amount,Value', `2026-05-14,A,250.00,${value}`]
      const mapping = { ...MAPPING, valueDate: 3, dateOrder: null }
      expect(read(rows(day), mapping)).toMatchObject({ lines: [{ bookedOn: '2026-05-14', valueDate: day }] })
      for (const other of ['2026-13-30', '32.05.2026']) expect(faultOf(rows(other), mapping)).toMatch(/does not exist/)
      expect(faultOf(rows(day), { ...mapping, bookedOn: 3, valueDate: null })).toMatch(/does not exist/)
    },
  )

  test('that a spreadsheet may have swapped refuse the table', () => {
    const days = table('2026-04-05', '13/04/2026')
    const fault =
      '3: “13/04/2026” is a text among dates that a spreadsheet may have changed, with day and month swapped. Export the file again and do not open it in a spreadsheet.'
    for (const dateOrder of [null, 'dmy', undefined] as const) {
      expect(faultOf(days, { ...MAPPING, dateOrder })).toBe(fault)
      expect(faultOf(days, { ...MAPPING, bookedOn: null, valueDate: 0, dateOrder })).toBe(fault)
      expect(read(days, { ...MAPPING, bookedOn: null, dateOrder })).toMatchObject({ lines: [{}, {}] })
    }
  })

  test('in another form stay as written', () =>
    expect(daysOf(['13/04/2026', 'today'])).toEqual(['2026-04-13', 'today']))
})

test('an equal amount paid out under its reference takes a payment back', () => {
  const rows = ['Date,Ref,Amount', '2026-05-05,A-1,250.00', '2026-05-05,A-2,90.00', '2026-05-06,A-1,-250.00']
  expect(read(rows, MAPPING)).toMatchObject({
    lines: [
      { reference: 'A-1', returned: 'The money went back: paid out again at line 4 of this file.' },
      { reference: 'A-2', returned: '' },
    ],
    summary: { counts: { 'paid-out': 1 } },
  })
})

test('CR and DR give the side, and a dash is no amount', () => {
  const rows = ['Date,Ref,Amount', '2026-05-05,A-1,250.00 CR', '2026-05-05,A-2,90.00 DR', '2026-05-06,A-3,-']
  expect(read(rows, MAPPING)).toMatchObject({
    lines: [{ reference: 'A-1', amount: '250.00' }],
    summary: { counts: { 'paid-out': 1, 'no-amount': 1 } },
  })
})

test('reads no references from placeholders of banks', () => {
  const rows = ['Date,Ref,Amount,Bank ref', '2026-05-05,NOTPROVIDED,250.00,NONREF', '2026-05-06,Rent,-250.00,NONREF']
  expect(read(rows, { ...MAPPING, bankReference: 3 })).toMatchObject({
    lines: [{ reference: '', bankReference: '', returned: '' }],
    debits: [{ references: ['Rent'] }],
  })
})

test('counts the faults that are not listed', () => {
  const faultsOf = (rest: string) => {
    const rows = Array.from({ length: 1_025 }, (_unused, at) => `2026-05-05,A-${at},${rest}`)
    const file = read(['Date,Ref,Amount,Text', ...rows], { ...MAPPING, text: 3 })
    return file.kind === 'broken' ? file.faults.slice(19) : []
  }
  const more = { place: null, what: 'And 1,005 more.' }
  expect(faultsOf('x,')).toEqual([{ place: 21, what: expect.stringContaining('“x” is not an amount') }, more])
  expect(faultsOf(`1.00,${'x'.repeat(4_001)}`)).toEqual([
    { place: 21, what: 'A text of this line has more than 4,000 characters. Remove it.' },
    more,
  ])
})

describe('a decimal comma that separates columns', () => {
  const MAP = { ...MAPPING, reference: null, decimalMark: null }
  const rows = (heading: string, ...cells: readonly string[]) => [
    heading,
    ...cells.map((cell) => `2026-05-05,A,${cell}`),
  ]

  test.each([
    ['behind the amount', rows('Date,Text,Amount,', '250,50', '100,25'), '“250” and “50” may be one amount'],
    ['within thousands', rows('Date,Text,Amount,', '100.00,', '1,250.00'), '“1” and “250.00” may be one amount'],
    ['before other columns', rows('Date,Text,Amount,Currency,', '250,50,BZD'), '“250” and “50” may be one amount'],
    ['without headings', rows('2026-05-05,A,100,25', '250,50'), '“100” and “25” may be one amount'],
  ])('%s refuses the table', (_where, table, fault) => {
    expect(faultOf(table, { ...MAP, headings: table[0]?.startsWith('D') === true })).toContain(fault)
  })

  test.each([
    ['named columns', rows('Date,Text,Amount,Code', '250,50')],
    ['amounts that have decimals', rows('Date,Text,Amount,', '250.50,50')],
    ['an empty column', rows('Date,Text,Amount,', '250,')],
    ['quoted commas', rows('Date,Text,Amount,', '"250,50",12')],
    ['quoted thousands', rows('Date,Text,Amount,', '"250,250",100', '-1.50,')],
    ['other separators', rows('Date,Text,Amount,', '250,50').map((row) => row.replaceAll(',', ';'))],
  ])('is not suspected of %s', (_what, table) => {
    expect(read(table, MAP)).toMatchObject({ kind: 'whole', lines: [{ amount: expect.stringMatching(/^250/) }] })
  })
})

test('finds unknown headings below lines of several cells', () => {
  const payments = ['05.05.2026;DEP-1;12,50', '06.05.2026;DEP-2;12,50']
  const columns = ['Tarih', 'Kod', 'Tutar']
  const found = (...above: readonly string[]) => read([...above, columns.join(';'), ...payments], null)
  expect(found('Bank of X;Page 1;', 'From;01.05.2026;', 'Balance;100,00;')).toMatchObject({ head: { columns } })
  const asRead = { ...MAPPING, decimalMark: null }
  expect(read(['Bank of X;Page 1;', columns.join(';'), ...payments], asRead)).toMatchObject({ lines: [{}, {}] })
  expect(found('pending;DEP-0;7,50')).toMatchObject({ head: { columns: ['pending', 'DEP-0', '7,50'] } })
  expect(read([columns.join(';'), 'Opening;;7,50', ...payments], null)).toMatchObject({ head: { columns } })
})

test.each([[['Kontoauszug']], [['Bank of X', 'Customer;ACME Ltd']], [['Kontoauszug;;;']]])(
  'takes no title for the headings: %j',
  (above) => {
    const payments = ['01.05.2026;ACME;DEP-1;100,00', '02.05.2026;B;DEP-2;20,00']
    expect(read([...above, ...payments], null)).toMatchObject({
      head: { headings: false, columns: ['01.05.2026', 'ACME', 'DEP-1', '100,00'] },
    })
    const mapping = { ...MAPPING, headings: false, reference: 2, amount: 3, decimalMark: null }
    expect(read([...above, ...payments], mapping)).toMatchObject({ lines: [{ reference: 'DEP-1' }, {}] })
  },
)

describe('a line of one cell below a table', () => {
  const below = (line: string) => ['Date,Ref,Amount', '2026-05-05,A,250.50', line]

  test.each(['1/1', '501-223-1234', '6.00', '1.0', '12', ',6.00'])('is skipped as a footer: %j', (line) => {
    expect(read(below(line), MAPPING)).toMatchObject({ kind: 'whole', lines: [{ reference: 'A' }] })
  })

  const cuts = ['1.', '1.1.', '1.1.2', '05/05/', '05/05/202', '2026-', '2026-05', '2026-05-', ',1.1.2026']
  test.each(cuts)('is refused as a cut payment: %j', (line) => {
    expect(faultOf(below(line), MAPPING)).toMatch(/^3: This line has a different number of columns/)
  })
})

describe('a balance or total labelled in the column of dates', () => {
  const labels = [
    'Alter Kontostand',
    'Balance at start of period',
    'Opening balance 01/04/2026',
    'Total of April',
    'Saldo per 01.04.2026',
  ]

  test.each(labels)('is skipped: %s', (label) => {
    const rows = ['Date,Ref,Amount', '13/04/2026,A,250.50', '14/04/2026,B,7.50', `${label},,30000.77`]
    const what = `“30000.77” is skipped as a total or balance: it is labelled “${label}”.`
    for (const bookedOn of [0, null]) {
      expect(read(rows, { ...MAPPING, bookedOn })).toMatchObject({
        ...{ kind: 'whole', lines: [{ amount: '250.50' }, { amount: '7.50' }] },
        summary: { counts: { total: 1 }, remarks: [{ place: 4, what }] },
      })
    }
  })
})
