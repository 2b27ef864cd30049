import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFile, syntaxOf, textOf } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const MAPPING: ColumnMapping = {
  headings: true,
  bookedOn: 0,
  bankReference: 1,
  reference: 2,
  amount: 3,
  currency: null,
  text: 4,
  decimalMark: null,
}

const HEAD = 'Date,Bank ref,Reference,Amount,Text'
const csv = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n')
const read = (text: string | Uint8Array, change: Partial<ColumnMapping> = {}) =>
  readFile(typeof text === 'string' ? bytes(text) : text, { ...MAPPING, ...change })

function wholeOf(text: string | Uint8Array, change: Partial<ColumnMapping> = {}) {
  const file = read(text, change)
  if (file.kind !== 'whole') throw new Error(JSON.stringify(file))
  return file
}

const linesOf = (text: string | Uint8Array, change: Partial<ColumnMapping> = {}) => wholeOf(text, change).lines
const amountsOf = (text: string, change: Partial<ColumnMapping> = {}) =>
  linesOf(text, change).map(({ reference, amount }) => `${reference} ${amount}`)

function faultsOf(text: string | Uint8Array, change: Partial<ColumnMapping> = {}) {
  const file = read(text, change)
  return file.kind === 'broken' ? file.faults.map(({ place, what }) => `${place}: ${what}`) : []
}

describe('a table', () => {
  test('gives each row as it is, the reference whole', () => {
    expect(linesOf(csv('2026-11-20,ATL-1,"DEP~90/ad 7%2B+ü?#",250.00,Top-up'))).toEqual([
      {
        place: 2,
        reference: 'DEP~90/ad 7%2B+ü?#',
        amount: '250.00',
        currency: '',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        text: 'Top-up',
        ...{ account: '', valueDate: '', payerName: '', payerAccount: '', returned: '' },
      },
    ])
  })

  test.each([
    ['semicolons and decimal commas', 'Date;Bank ref;Reference;Amount;Text\n20.11.2026;A;R;1.250,50;t', '1250.50'],
    ['tabs', 'Date\tBank ref\tReference\tAmount\tText\n1.1.2026\tA\tR\t1,250.50\tt', '1250.50'],
    ['a byte order mark', `\ufeff${csv('1.1.2026,A,R,7,t')}`, '7'],
    ['carriage returns', csv('1.1.2026,A,R,7,t').replaceAll('\n', '\r\n'), '7'],
    ['eight places', csv('1.1.2026,A,R,0.00000001,t'), '0.00000001'],
    ['a line that names the delimiter', `sep=,\n${csv('1.1.2026,A,R,7,t')}`, '7'],
    ['a delimiter at the end of each row', csv('1.1.2026,A,R,7,t,'), '7'],
    ['empty rows', csv(',,,,', '1.1.2026,A,R,7,t', ',,,,'), '7'],
    ['a currency beside the figure', csv('1.1.2026,A,R,"BZ$1,250.50",t'), '1250.50'],
    ['text cells of Excel', csv('1.1.2026,"=""A""","=""R""",7,t'), '7'],
    ['a cell that begins with a quoted word', csv('1.1.2026,A,R,7,"Anna" Ltd'), '7'],
    ['spaces around quoted cells', csv('1.1.2026, "A" , "R" , "7" ,t'), '7'],
    ['lines above', `Account,ISLB0009\nPeriod,1.1.2026 - 2.1.2026\n\n${csv('1.1.2026,A,R,7,t')}`, '7'],
    ['a title without delimiters above', `Statement of account\n${csv('1.1.2026,A,R,7,t')}`, '7'],
    ['padded lines above', `Account,ISLB0009,,,\n${csv('1.1.2026,A,R,7,t')}`, '7'],
    ['a note below', csv('1.1.2026,A,R,7,t', 'End of statement'), '7'],
    ['a count of records below', csv('1.1.2026,A,R,7,t', '1'), '7'],
    ['a short total below', csv('1.1.2026,A,R,7,t', 'Total,7'), '7'],
  ] as const)('with %s is read', (_what, text, amount) => {
    expect(linesOf(text)).toMatchObject([{ reference: 'R', bankReference: 'A', amount }])
  })

  test('names the lines outside the table', () => {
    const text = `Account,ISLB0009\nPeriod,January\n${csv('1.1.2026,A,R,7,t', 'End of statement')}`
    expect(wholeOf(text).summary.remarks).toEqual([
      { place: 1, what: 'This line and 2 more outside the table are skipped: “Account ISLB0009”.' },
    ])
    expect(wholeOf(text).lines).toMatchObject([{ place: 4, reference: 'R' }])
  })

  test.each([
    ['cut, between others', csv('1.1.2026,A,R,7,t', '1.1.2026,A', '1.1.2026,B,S,8,t'), 3],
    ['cut, below others', csv('1.1.2026,A,R,7,t', '1.1.2026,B'), 3],
    ['cut behind its date', `Account\n${csv('1.1.2026,A,R,7,t', '1.1.2026')}`, 4],
    ['cut in its date', csv('1.1.2026,A,R,7,t', '1.1.'), 3],
    ['cut, below unknown headings', 'Dag,Bedrag,Kenmerk,Naam\n1.1.2026,7,R,A\n1.1.2026,8,S,B\n1.1.2026,9', 4],
  ])('never skips a payment %s', (_where, text, place) => {
    expect(faultsOf(text)).toEqual([
      `${place}: This line has a different number of columns than the table. If it is no payment, remove it.`,
    ])
  })

  test('is read in UTF-16 without its mark', () => {
    const little = Buffer.from(csv('1.1.2026,A,R,7,Café Muñoz'), 'utf16le')
    expect(linesOf(Uint8Array.from(little))[0]?.text).toBe('Café Muñoz')
    expect(linesOf(Uint8Array.from(little.swap16()))[0]?.text).toBe('Café Muñoz')
  })

  test('is read in Latin-1 and in UTF-16 with its mark', () => {
    const text = csv('1.1.2026,A,R,7,Café Muñoz')
    expect(linesOf(Uint8Array.from(Buffer.from(text, 'latin1')))[0]?.text).toBe('Café Muñoz')
    expect(textOf(Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le')))).toBe(text)
  })

  test('keeps a formula as text', () => {
    expect(linesOf(csv('1.1.2026,A,R,7,"=HYPERLINK(""x"")"'))[0]?.text).toBe('=HYPERLINK("x")')
  })

  test('leaves out what is no money received, and says why', () => {
    const file = wholeOf(csv('1.1.2026,A,R,7,t', '1.1.2026,B,S,-7,t', '1.1.2026,C,T,0.00,t', '1.1.2026,D,U,,t'))
    expect(file.lines).toMatchObject([{ reference: 'R' }])
    expect(file.leftOut).toBe(3)
    expect(file.summary.counts).toEqual({ 'paid-out': 1, 'no-amount': 2 })
  })

  test('is summed up by currency, with the largest amount', () => {
    const rows = ['BZD 7.00', 'BZD 1250.50', 'USD 3.00'].map((amount, at) => `1.1.2026,A${at},R${at},${amount},t`)
    expect(wholeOf(csv(...rows)).summary).toMatchObject({
      totals: [
        { currency: 'BZD', count: 2, sum: '1257.50000000', largest: '1250.50000000' },
        { currency: 'USD', count: 1, sum: '3.00000000', largest: '3.00000000' },
      ],
      first: [{ reference: 'R0' }, { reference: 'R1' }, { reference: 'R2' }],
    })
  })

  test.each([
    ['a word for an amount', csv('1.1.2026,A,R,7,t', '1.1.2026,A,R,seven,t'), /^3: “seven” is not an amount/],
    ['groups of two', csv('1.1.2026,A,R,"12,34.00",t'), /^2: “12,34.00” is not an amount.*grouped thousands/],
    ['too few cells', csv('1.1.2026,A,R,7,t', '1.1.2026,A,R'), /^3: This line has a different number of columns/],
    ['an open quotation mark', csv('1.1.2026,A,"R,7,t'), /^2: A quotation mark is not closed/],
    ['fewer columns', 'Amount,b\n7,2', /^1: Column 3 not found\. Map the columns again/],
    ['a reference that a spreadsheet lost', csv('1.1.2026,A,"2,02605E+15",7,t'), /^2: “2,02605E\+15” was shortened/],
    ['nothing but headings', HEAD, /^null: The statement has no incoming payments/],
    ['nothing', '', /^null: The file is empty/],
  ])('with %s is refused whole, with its line', (_what, text, fault) => {
    expect(faultsOf(text)[0]).toMatch(fault)
  })

  test('is read up to 10,000 rows and refused beyond', () => {
    const rows = Array.from({ length: 10_000 }, (_unused, n) => `1.1.2026,A${n},R${n},7,t`)
    expect(linesOf(csv(...rows))).toHaveLength(10_000)
    expect(faultsOf(csv(...rows, '1.1.2026,A,R,-7,t'))[0]).toMatch(/more than 10,000 rows; at most 10,000 are imported/)
    const above = Array.from({ length: 29 }, () => 'Note').join('\n')
    expect(faultsOf(`${above}\n${csv(...rows, '1.1.2026,A,R,-7,t')}`)[0]).toMatch(/more than 10,000 rows/)
    expect(linesOf(`${above}\n${csv(...rows)}`)).toHaveLength(10_000)
  })

  test('without a mapping shows its first rows and a draft', () => {
    expect(readFile(bytes(csv('1.1.2026,A,R,"1,250.00",t')), null)).toMatchObject({
      kind: 'columns',
      head: {
        headings: true,
        columns: HEAD.split(','),
        sample: [['1.1.2026', 'A', 'R', '1,250.00', 't']],
        marks: [{ verdict: 'no-amounts' }, {}, {}, { verdict: 'point', deciding: 1 }, {}],
      },
      draft: { ...MAPPING, decimalMark: 'point' },
    })
  })
})

describe('the decimal mark', () => {
  const rows = (...amounts: readonly string[]) =>
    ['Date;Bank ref;Reference;Amount;Text', ...amounts.map((amount, at) => `1.1.2026;A${at};R${at};${amount};t`)].join(
      '\n',
    )

  test('is judged over all rows, not the first', () => {
    expect(amountsOf(rows('100', '200', '300', '400', '500', '600', '19,90')).at(-1)).toBe('R6 19.90')
  })

  test('that is not decided must be chosen', () => {
    expect(faultsOf(rows('1.080', '2.500'))).toEqual([expect.stringMatching(/^2: “1\.080” is ambiguous/)])
    expect(amountsOf(rows('1.080', '2.500'), { decimalMark: 'comma' })).toEqual(['R0 1080', 'R1 2500'])
    expect(amountsOf(rows('1.080', '2.500'), { decimalMark: 'point' })).toEqual(['R0 1.080', 'R1 2.500'])
  })

  test('that contradicts a cell is refused with the line', () => {
    expect(faultsOf(rows('100', '12,50'), { decimalMark: 'point' })).toEqual([
      '3: “12,50” is not an amount with a decimal point. Choose a decimal comma if all amounts have one.',
    ])
    expect(faultsOf(rows('12.50'), { decimalMark: 'comma' })[0]).toMatch(
      /^2: “12\.50” is not an amount with a decimal comma/,
    )
    expect(faultsOf(rows('1.250,00'), { decimalMark: 'point' })[0]).toMatch(/^2:/)
  })

  test('that changes within the column is refused with both lines', () => {
    expect(faultsOf(rows('1.250,00', '7', '1,250.00'))).toEqual([
      expect.stringMatching(/^4: “1,250\.00” has a decimal point/),
      expect.stringMatching(/^2: “1\.250,00” has a decimal comma/),
    ])
  })

  test('never reads a column of amounts as other amounts', () => {
    const cents = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        cents,
        fc.constantFrom('point', 'comma'),
        fc.constantFrom(null, 'point', 'comma'),
        (all, mark, chosen) => {
          const [decimal, grouping] = mark === 'point' ? ['.', ','] : [',', '.']
          const written = all.map((one) => {
            const text = String(one).padStart(3, '0')
            return `${text.slice(0, -2).replace(/\B(?=(\d{3})+(?!\d))/g, grouping)}${decimal}${text.slice(-2)}`
          })
          const file = read(rows(...written), { decimalMark: chosen })
          const right = all.map(
            (one) => `${String(one).padStart(3, '0').slice(0, -2)}.${String(one).padStart(3, '0').slice(-2)}`,
          )
          if (chosen === null || chosen === mark)
            expect(file).toMatchObject({ kind: 'whole', lines: right.map((amount) => ({ amount })) })
          else expect(file.kind).toBe('broken')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('columns', () => {
  const named = { reference: 'Ref', amount: 'Amount', bankReference: null, bookedOn: null, currency: null, text: null }
  const twice = 'Date;Amount;Currency;Amount;Currency;Ref\n2026-11-20;50,00;USD;100,00;BZD;DUP-1'

  test('with one heading go by position', () => {
    const mapping = { ...MAPPING, bookedOn: 0, bankReference: null, reference: 5, text: null }
    expect(linesOf(twice, { ...mapping, amount: 3, currency: 4 })).toMatchObject([
      { amount: '100.00', currency: 'BZD' },
    ])
    expect(linesOf(twice, { ...mapping, amount: 1, currency: 2 })).toMatchObject([{ amount: '50.00', currency: 'USD' }])
  })

  test('by headings are refused unless a heading is unique', () => {
    const faults = (change: object) => {
      const file = readFile(bytes(twice), { ...named, decimalMark: 'comma', ...change })
      return file.kind === 'broken' ? file.faults : []
    }
    expect(faults({})).toEqual([{ place: 1, what: '2 columns are named “Amount”. Choose one by its position.' }])
    expect(faults({ amount: 'Betrag' })).toEqual([
      { place: 1, what: 'Column “Betrag” not found. Map the columns again.' },
    ])
  })

  test('by headings decide no decimal mark', () => {
    const file = readFile(bytes('Ref;Amount\nA;1.080'), { ...named, decimalMark: 'point' })
    expect(file).toMatchObject({ kind: 'broken', faults: [{ what: expect.stringMatching(/ambiguous/) }] })
    expect(readFile(bytes('Ref;Amount\nA;300'), { ...named, decimalMark: 'point' })).toMatchObject({ kind: 'whole' })
  })

  test.each(['Debit', 'Soll', 'Balance', 'Saldo'])('“%s” is refused as money received', (heading) => {
    const [fault] = faultsOf(csv('1.1.2026,A,R,7,t').replace('Amount', heading))
    expect(fault).toMatch(/^1: Column “.*” has (money paid out|balances)/)
  })
})

describe('a table without headings', () => {
  const rows = '05.05.2026;B-1;HEAD-1;250,00;t\n05.05.2026;B-2;HEAD-2;90,00;t'

  test('is recognised, and loses no payment', () => {
    expect(readFile(bytes(rows), null)).toMatchObject({
      head: { headings: false, marks: [{}, {}, {}, { verdict: 'comma', deciding: 2 }, {}] },
      draft: { headings: false, amount: null },
    })
    expect(amountsOf(rows, { headings: false })).toEqual(['HEAD-1 250.00', 'HEAD-2 90.00'])
  })

  test('is refused when its first payment is taken for headings', () => {
    const fault = '1: The first line is a payment, not headings. Choose “a payment”.'
    expect(faultsOf(rows)).toEqual([fault])
    expect(faultsOf('B-1;REF;x;250,00;t')).toEqual([fault])
    expect(faultsOf('B-1;REF;x;250,00;t\nB-2;REF;x;9,00;t', { bookedOn: null })).toEqual([fault])
  })

  test('is not made of a table with headings', () => {
    expect(faultsOf(csv('1.1.2026,A,R,7,t'), { headings: false })[0]).toMatch(/^1: “Amount” is not an amount/)
  })
})

describe('a currency', () => {
  test('in the heading is that of the lines', () => {
    expect(linesOf(csv('1.1.2026,A,R,7,t').replace('Amount', 'Amount (USD)'))[0]?.currency).toBe('USD')
  })

  test('beside the amount is that of its line', () => {
    expect(linesOf(csv('1.1.2026,A,R,7 USD,t', '1.1.2026,A,S,8,t')).map(({ currency }) => currency)).toEqual([
      'USD',
      '',
    ])
  })

  test('in a column is read in any case', () => {
    const rows = csv('1.1.2026,A,R,7,bzd', '1.1.2026,A,S,8,BZ$')
    expect(linesOf(rows, { currency: 4, text: null }).map(({ currency }) => currency)).toEqual(['BZD', 'BZD'])
  })

  test.each([
    ['heading and column', csv('1.1.2026,A,R,7,BZD').replace('Amount', 'Amount (USD)'), { currency: 4, text: null }],
    ['amount and column', csv('1.1.2026,A,R,7 USD,BZD'), { currency: 4, text: null }],
    ['heading and amount', csv('1.1.2026,A,R,7 USD,t').replace('Amount', 'Amount (BZD)'), {}],
  ])('that differs between %s is refused', (_what, text, change) => {
    expect(faultsOf(text, change)[0]).toMatch(/^2: The amount is in “(USD|BZD)” and “(USD|BZD)” at once/)
  })

  test('is asked for where the heading names two', () => {
    expect(faultsOf(csv('1.1.2026,A,R,7,t').replace('Amount', 'Amount (USD/BZD)'))[0]).toMatch(/names USD and BZD/)
  })
})

describe('a column that says what a row is', () => {
  const table = (heading: string, ...cells: readonly string[]) =>
    [
      `Date;Bank ref;Reference;Amount;${heading}`,
      ...cells.map((cell, at) => `1.1.2026;A${at};R${at};9,00;${cell}`),
    ].join('\n')

  test.each([
    ['S/H', 'H', 'S', /^3: The column “S\/H” gives the direction, and this line has “S” there/],
    ['Debit/Credit', 'Credit', 'Debit', /^3: The column “Debit\/Credit” gives the direction/],
    ['Af Bij', 'Bij', 'Af', /^3: The column “Af Bij” gives the direction/],
    ['State', 'COMPLETED', 'PENDING', /^3: The column “State” gives the booking status/],
    ['Status', 'Booked', '', /^3: The column “Status” gives the booking status, and this line has nothing/],
    ['', 'C', 'D', /^3: The column Column 5 gives the direction/],
  ])('“%s” refuses the table, with what to do', (heading, received, other, fault) => {
    const [first] = faultsOf(table(heading, received, other), { text: null })
    expect(first).toMatch(fault)
    expect(first).toMatch(/Map this column, or export (money received|booked payments) alone\.$/)
    expect(faultsOf(table(heading, received, other), { text: 4 })[0]).toMatch(fault)
  })

  test('is no obstacle where every line is booked money received', () => {
    expect(amountsOf(table('S/H', 'H', 'H'), { text: null })).toEqual(['R0 9.00', 'R1 9.00'])
    const signed = 'Date;Bank ref;Reference;Amount;Debit/Credit\n1.1.2026;A;R;9,00;Credit\n1.1.2026;B;S;-9,00;Debit'
    expect(amountsOf(signed, { text: null })).toEqual(['R 9.00'])
  })

  test('is named before what is odd about single rows', () => {
    const rows = 'Date,Bank ref,Reference,Amount,State\n1.1.2026,A,R,9.00,BOOKED\n,B,S,7.00,PENDING'
    expect(faultsOf(rows, { text: null })[0]).toMatch(/^3: The column “State”/)
  })
})

describe('a total', () => {
  const payments = ['1.1.2026,A,R,250.00,t', '1.1.2026,B,S,90.00,t']

  test.each([
    ['labelled', ',,Total,340.00,', 'Total'],
    ['labelled without agreeing', ',,,1000.00,Closing balance 1.1.', 'Closing balance'],
    ['the sum alone', ',,,340.00,', 'sum'],
    ['labelled, with a date', '1.1.2026,,,1000.00,Opening balance', 'Opening balance'],
  ])('that is %s is left out, and said so', (_what, row, word) => {
    const file = wholeOf(csv(...payments, row))
    expect(file.lines).toHaveLength(2)
    expect(file.summary.counts).toEqual({ total: 1 })
    expect(file.summary.remarks).toEqual([{ place: 4, what: expect.stringContaining(word) }])
  })

  test('below a total and above another one is a payment', () => {
    expect(
      amountsOf(csv(...payments, ',,Sum,340.00,', '1.1.2026,C,T,5.00,t', ',,Sum,5.00,', ',,Total,345.00,')),
    ).toEqual(['R 250.00', 'S 90.00', 'T 5.00'])
  })

  test('differs from a payment with a reference and a date', () => {
    expect(linesOf(csv(...payments, '1.1.2026,C,T,340.00,Total'))).toHaveLength(3)
    expect(linesOf(csv(...payments, '1.1.2026,,,7.00,Total Energy Ltd'))).toHaveLength(3)
    expect(linesOf(csv('1.1.2026,A,R,50.00,t', '1.1.2026,B,S,50.00,t'))).toHaveLength(2)
  })

  test('without dates is left out where it has no reference', () => {
    const table = 'Bank ref,Reference,Amount\nA,R,10\nB,S,20\n,,30'
    const file = wholeOf(table, { bankReference: 0, reference: 1, amount: 2, bookedOn: null, text: null })
    expect(file.lines).toHaveLength(2)
    expect(file.summary.remarks).toEqual([{ place: 4, what: expect.stringContaining('sum of the lines above') }])
  })

  test('that is none, and has no date, refuses the table', () => {
    expect(faultsOf(csv(...payments, ',C,T,77.00,t'))).toEqual([
      expect.stringMatching(/^4: “77\.00” has no date, unlike other lines/),
    ])
  })
})

test.each([
  ['<?xml version="1.0"?>', 'xml'],
  ['\ufeff  <Document>', 'xml'],
  [':20:STMT', 'mt940'],
  ['{1:F01X}{2:I940}{4:\n:20:S', 'mt940'],
  ['Date,Amount', 'csv'],
])('%j is %s', (text, format) => {
  expect(syntaxOf(text)).toBe(format)
})
