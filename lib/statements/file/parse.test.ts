import { describe, expect, test } from 'vitest'
import { amountText } from './amount-text.ts'
import { type ColumnMapping, readCsvHead } from './csv.ts'
import { formatOf, parseStatement } from './parse.ts'
import { textOf } from './text-of.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

const mapping: ColumnMapping = {
  reference: 'Reference',
  amount: 'Amount',
  bankReference: 'Bank ref',
  bookedOn: 'Date',
  currency: null,
  text: 'Text',
  decimalMark: 'point',
}

const HEAD = 'Date,Bank ref,Reference,Amount,Text'
const csv = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n')
const faultsOf = (text: string | Uint8Array, change: Partial<ColumnMapping> = {}) => {
  const parsed = parseStatement(typeof text === 'string' ? bytes(text) : text, { ...mapping, ...change })
  return parsed.ok ? [] : parsed.faults.map(({ place, what }) => `${place}: ${what}`)
}
const linesOf = (text: string | Uint8Array, change: Partial<ColumnMapping> = {}) => {
  const parsed = parseStatement(typeof text === 'string' ? bytes(text) : text, { ...mapping, ...change })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.lines
}

describe('a table', () => {
  test('gives each row as it stands, the reference whole', () => {
    expect(linesOf(csv('2026-11-20,ATL-1,"DEP~90/ad 7%2B+ü?#",250.00,Top-up'))).toEqual([
      {
        place: 2,
        reference: 'DEP~90/ad 7%2B+ü?#',
        amount: '250.00',
        currency: '',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        text: 'Top-up',
      },
    ])
  })

  test.each([
    [
      'semicolons and decimal commas',
      'Date;Bank ref;Reference;Amount;Text\n20.11.2026;A;R;1.250,50;t',
      'comma',
      '1250.50',
    ],
    ['tabs', 'Date\tBank ref\tReference\tAmount\tText\nd\tA\tR\t1,250.50\tt', 'point', '1250.50'],
    ['a byte order mark', `\ufeff${csv('d,A,R,7,t')}`, 'point', '7'],
    ['carriage returns', csv('d,A,R,7,t').replaceAll('\n', '\r\n'), 'point', '7'],
    ['eight places', csv('d,A,R,0.00000001,t'), 'point', '0.00000001'],
  ] as const)('with %s', (_what, text, decimalMark, amount) => {
    expect(linesOf(text, { decimalMark })[0]?.amount).toBe(amount)
  })

  test('in Latin-1', () => {
    expect(linesOf(latin1(csv('d,A,R,7,Café Muñoz')))[0]?.text).toBe('Café Muñoz')
  })

  test('a formula in a cell is text like any other', () => {
    expect(linesOf(csv('d,A,R,7,"=HYPERLINK(""x"")"'))[0]?.text).toBe('=HYPERLINK("x")')
  })

  test('money that went out is left out', () => {
    const parsed = parseStatement(bytes(csv('d,A,R,7,t', 'd,B,R2,-7,t', 'd,C,R3,0.00,t')), mapping)
    expect(parsed).toMatchObject({ ok: true, leftOut: 2, lines: [{ reference: 'R' }] })
  })

  test.each([
    ['a word for an amount', csv('d,A,R,7,t', 'd,A,R,seven,t'), '3: “seven” is no amount.'],
    ['too few cells', csv('d,A,R,7,t', 'd,A,R'), '3: This line has another number of columns than the first.'],
    ['an open quotation mark', csv('d,A,"R,7,t'), '2: A quotation mark is opened and not closed.'],
    ['a column that is not there', 'a,b\n1,2', '1: There is no column “Reference”. Map the columns again.'],
    ['nothing but a head', HEAD, 'null: The statement shows no money received.'],
    ['nothing', '', '1: There is no column “Reference”. Map the columns again.'],
  ])('with %s is refused whole, with its line', (_what, text, fault) => {
    expect(faultsOf(text)).toContain(fault)
  })

  test('of 10,000 lines is taken, of 10,001 is not', () => {
    const rows = Array.from({ length: 10_000 }, (_unused, n) => `d,A${n},R${n},7,t`)
    expect(linesOf(csv(...rows))).toHaveLength(10_000)
    expect(faultsOf(csv(...rows, 'd,A,R,7,t'))[0]).toMatch(/at most 10,000 are imported/)
  })

  test('shows its head and first rows for the mapping', () => {
    expect(readCsvHead(csv('1,2,3,4,5', '6,7,8,9,0'))).toEqual({
      columns: ['Date', 'Bank ref', 'Reference', 'Amount', 'Text'],
      sample: [
        ['1', '2', '3', '4', '5'],
        ['6', '7', '8', '9', '0'],
      ],
    })
  })

  test('without a mapping asks for one', () => {
    expect(parseStatement(bytes(csv('d,A,R,7,t')), null)).toMatchObject({ ok: false })
  })
})

const camt = (entries: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
const entry = (inner: string, amount = '250.00', kind = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>ATL-1</AcctSvcrRef>${inner}</Ntry>`
const payment = (inner: string): string => `<NtryDtls><TxDtls>${inner}</TxDtls></NtryDtls>`
const refs = (endToEnd: string): string => `<Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>`
const creditor = (reference: string) =>
  `<RmtInf><Ustrd>rent</Ustrd><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`

describe('camt.053', () => {
  test('gives booked credits with the creditor reference', () => {
    expect(linesOf(camt(entry(payment(refs('E2E-1') + creditor('DEP~1 &amp; co')))))).toEqual([
      {
        place: 1,
        reference: 'DEP~1 & co',
        amount: '250.00',
        currency: 'BZD',
        bankReference: 'ATL-1',
        bookedOn: '2026-11-20',
        text: 'rent',
      },
    ])
  })

  test.each([
    ['the end-to-end id where there is no creditor reference', refs('DEP~2'), 'DEP~2'],
    ['none where the payer gave none', refs('NOTPROVIDED'), ''],
    ['none without details', '', ''],
  ])('takes %s', (_what, inner, reference) => {
    expect(linesOf(camt(entry(payment(inner))))[0]?.reference).toBe(reference)
  })

  test('takes each payment of a batch by itself', () => {
    const two = `<NtryDtls><TxDtls>${refs('A')}<Amt Ccy="BZD">100.00</Amt></TxDtls><TxDtls>${refs('B')}<AmtDtls><TxAmt><Amt Ccy="BZD">150.00</Amt></TxAmt></AmtDtls></TxDtls></NtryDtls>`
    expect(linesOf(camt(entry(two))).map(({ reference, amount }) => `${reference} ${amount}`)).toEqual([
      'A 100.00',
      'B 150.00',
    ])
  })

  test('leaves out debits, reversals and what is pending, in older versions too', () => {
    const left = [
      entry('', '1', 'DBIT'),
      entry('<RvslInd>true</RvslInd>'),
      entry('', '1', 'CRDT', '<Sts>PDNG</Sts>'),
      entry(payment(refs('R')), '1', 'CRDT', '<Sts>BOOK</Sts>'),
    ].join('')
    expect(parseStatement(bytes(camt(left)), null)).toMatchObject({
      ok: true,
      leftOut: 3,
      lines: [{ place: 4, reference: 'R' }],
    })
  })

  test.each([
    ['XML that is broken', '<Document><a></Document>', /^\d+: The XML is broken/],
    ['other XML', '<Document><Other/></Document>', /no camt\.053 statement/],
    ['an amount that is none', camt(entry('', 'x')), /^1: An amount is missing/],
    ['entities of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${camt(entry(''))}`, /declares XML entities/],
  ])('refuses %s whole', (_what, text, fault) => {
    expect(faultsOf(text)[0]).toMatch(fault)
  })
})

test.each([
  ['<?xml version="1.0"?>', 'camt.053'],
  ['\ufeff  <Document>', 'camt.053'],
  [':20:STMT', 'mt940'],
  ['{1:F01X}{2:I940}{4:\n:20:S', 'mt940'],
  ['Date,Amount', 'csv'],
])('%j is %s', (text, format) => {
  expect(formatOf(text)).toBe(format)
})

test.each([
  ['1,250.50', 'point', '1250.50'],
  ['1 250,50', 'comma', '1250.50'],
  ['1’250.5', 'point', '1250.5'],
  ['+7', 'point', '7'],
  ['-7', 'point', '-7'],
  ['7.', 'point', '7'],
  ['1.234', 'comma', '1234'],
  ['1e3', 'point', null],
  ['', 'point', null],
  ['0.123456789', 'point', null],
  ['1'.repeat(31), 'point', null],
] as const)('the amount %j with a decimal %s is %s', (given, mark, text) => {
  expect(amountText(given, mark)).toBe(text)
})

test('UTF-16 is read by its mark', () => {
  const text = '\ufeffDate;Amount'
  expect(textOf(Uint8Array.from(Buffer.from(text, 'utf16le')))).toBe('Date;Amount')
})

test('five megabytes and a byte are refused before they are read', () => {
  expect(faultsOf(new Uint8Array(5 * 1024 * 1024 + 1))).toEqual(['null: The file is larger than 5 MB. Split it.'])
})
