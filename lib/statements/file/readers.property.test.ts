import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONG } from '#lib/testing/runs.ts'
import { readFile } from './read-file.ts'
import type { ColumnMapping } from './statement.ts'

const RUNS = LONG ? 5_000 : 100

interface Payment {
  readonly cents: number
  readonly isReceived: boolean
  readonly reference: string
  readonly day: number
}

const payments: fc.Arbitrary<Payment[]> = fc.array(
  fc.record({
    cents: fc.integer({ min: 1, max: 10 ** 12 }),
    isReceived: fc.boolean(),
    reference: fc.stringMatching(/^[A-Z]{2}-[0-9]{1,10}$/),
    day: fc.integer({ min: 1, max: 28 }),
  }),
  { minLength: 1, maxLength: 20 },
)

const two = (number: number): string => String(number).padStart(2, '0')
const decimal = (cents: number, mark: string): string => `${Math.floor(cents / 100)}${mark}${two(cents % 100)}`
const signed = ({ cents, isReceived }: Payment, mark: string): string =>
  `${isReceived ? '' : '-'}${decimal(cents, mark)}`

const MAPPING: ColumnMapping = {
  ...{ headings: true, reference: 1, amount: 2, bankReference: null, bookedOn: 0, currency: null, text: null },
  decimalMark: null,
}

interface Format {
  readonly mapping: ColumnMapping | null
  readonly write: (all: readonly Payment[]) => string
}

const table = (delimiter: string, mark: string): Format => ({
  mapping: MAPPING,
  write: (all) =>
    ['Date', 'Reference', 'Amount'].join(delimiter) +
    all.map((one) => `\n2026-05-${two(one.day)}${delimiter}${one.reference}${delimiter}${signed(one, mark)}`).join(''),
})

const formats: Readonly<Record<string, Format>> = {
  'a table with points': table(',', '.'),
  'a table with commas': table(';', ','),
  MT940: {
    mapping: null,
    write(all) {
      const balance = all.reduce((sum, { cents, isReceived }) => sum + (isReceived ? cents : -cents), 0)
      const lines = all.map(
        ({ cents, isReceived, reference, day }) =>
          `:61:2605${two(day)}05${two(day)}${isReceived ? 'C' : 'D'}${decimal(cents, ',')}NTRF${reference}\n:86:Top-up`,
      )
      const closing = `${balance < 0 ? 'D' : 'C'}260531BZD${decimal(Math.abs(balance), ',')}`
      return `:20:S\n:25:B/1\n:28C:1/1\n:60F:C260501BZD0,00\n${lines.join('\n')}\n:62F:${closing}\n-`
    },
  },
  'camt.053': {
    mapping: null,
    write: (all) =>
      `<Document><BkToCstmrStmt><Stmt>${all
        .map(
          ({ cents, isReceived, reference, day }) =>
            `<Ntry><Amt Ccy="BZD">${decimal(cents, '.')}</Amt><CdtDbtInd>${isReceived ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-05-${two(day)}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
        )
        .join('')}</Stmt></BkToCstmrStmt></Document>`,
  },
  OFX: {
    mapping: null,
    write: (all) =>
      `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BZD<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${all
        .map(
          (one) =>
            `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>202605${two(one.day)}<TRNAMT>${signed(one, '.')}<FITID>${one.reference}<NAME>Payer</STMTTRN>`,
        )
        .join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  },
  QIF: {
    mapping: null,
    write: (all) =>
      `!Type:Bank\n${all.map((one) => `D2026-05-${two(one.day)}\nT${signed(one, '.')}\nM${one.reference}\n^\n`).join('')}`,
  },
}

const read = (text: string, mapping: ColumnMapping | null) => readFile(new TextEncoder().encode(text), mapping)

/** In cents; a file of the formats above has two decimals. */
function centsOf(amount: string): number {
  const [whole = '', places = ''] = amount.split('.')
  return Number(whole) * 100 + Number(places.padEnd(2, '0'))
}

describe.each(Object.entries(formats))('%s', (_name, { mapping, write }) => {
  test('gives every amount received and counts the others', () => {
    fc.assert(
      fc.property(payments, (all) => {
        const file = read(write(all), mapping)
        const received = all.filter(({ isReceived }) => isReceived)
        if (file.kind !== 'whole') throw new Error(JSON.stringify(file))
        expect(file.lines.map(({ amount }) => centsOf(amount))).toEqual(received.map(({ cents }) => cents))
        expect(file.leftOut).toBe(all.length - received.length)
        expect(file.summary.warnings).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('read with damage neither throws nor invents an amount', () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat({ max: 12 }),
      put: fc.string(),
    })
    fc.assert(
      fc.property(payments, damage, (all, { at, cut, put }) => {
        const text = write(all)
        const position = Math.floor(at * text.length)
        const file = read(text.slice(0, position) + put + text.slice(position + cut), mapping)
        if (file.kind !== 'whole') return
        for (const { amount } of file.lines) expect(amount).toMatch(/^\d+(\.\d{1,8})?$/)
        expect(file.lines.length).toBeLessThanOrEqual(all.length + put.length + 1)
      }),
      { numRuns: RUNS },
    )
  })
})
