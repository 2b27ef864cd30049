import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DecimalMark, judgeMark, plainDecimal, readAmount } from './amount-text.ts'

const MARKS: readonly DecimalMark[] = ['point', 'comma']
const columnOf = (...texts: readonly string[]) => texts.map((text, at) => ({ place: at + 2, text }))
const verdictOf = (...texts: readonly string[]) => judgeMark(columnOf(...texts)).verdict

describe('an amount', () => {
  test.each([
    ['1250.00', 'point', '1250.00'],
    ['1,250.50', 'point', '1250.50'],
    ['12,34,567.89', 'point', '1234567.89'],
    ['1 250,50', 'comma', '1250.50'],
    ['1\u00a0250\u00a0000,5', 'comma', '1250000.5'],
    ['1\u202f250,50', 'comma', '1250.50'],
    ['1’250.5', 'point', '1250.5'],
    ["1'250'000", 'comma', '1250000'],
    ['1.234', 'comma', '1234'],
    ['.75', 'point', '0.75'],
    ['7.', 'point', '7'],
    ['007', 'point', '7'],
    ['0.00000001', 'point', '0.00000001'],
    ['9'.repeat(30), 'point', '9'.repeat(30)],
  ] as const)('%j with a decimal %s is %s', (text, mark, amount) => {
    expect(readAmount(text, mark)).toEqual({ amount, isNegative: false, currency: '' })
  })

  test.each([
    ['12,50', 'point'],
    ['1.250,00', 'point'],
    ['12.50', 'comma'],
    ['1,250.00', 'comma'],
    ['1,2,5', 'point'],
    ['12,34.00', 'point'],
    ['1,23,45', 'point'],
    ['1,250 000.00', 'point'],
    ['1 250,000.00', 'point'],
    ['1,,250', 'point'],
    [',250', 'point'],
    ['0,750', 'point'],
    ['1.2.3', 'point'],
    ['1-2', 'point'],
    ['--5', 'point'],
    ['-5-', 'point'],
    ['(5', 'point'],
    ['1e3', 'point'],
    ['', 'point'],
    ['.', 'point'],
    ['BZD', 'point'],
    ['5.00 XYZ', 'point'],
    ['5.00 DX', 'point'],
    ['BZD 5.00 USD', 'point'],
    ['0.123456789', 'point'],
    ['1'.repeat(31), 'point'],
    ['05.05.2026', 'comma'],
    ['250.-', 'point'],
    ['250,– CHF', 'comma'],
  ] as const)('%j with a decimal %s is refused', (text, mark) => {
    expect(readAmount(text, mark)).toBeNull()
  })

  test.each([
    ['-7', true, ''],
    ['7-', true, ''],
    ['\u22127', true, ''],
    ['(7)', true, ''],
    ['+7', false, ''],
    ['7+', false, ''],
    ['7 CR', false, ''],
    ['7DR', true, ''],
    ['7 BZD dr', true, 'BZD'],
    ['BZ$7', false, 'BZD'],
    ['-BZ$7', true, 'BZD'],
    ['BZD -7', true, 'BZD'],
    ['7 USD', false, 'USD'],
    ['€7', false, 'EUR'],
    ['$7', false, ''],
  ])('%j is read with its sign and currency', (text, isNegative, currency) => {
    expect(readAmount(text, 'point')).toEqual({ amount: '7', isNegative, currency })
  })

  test.each([
    ['1250.5', 'point', '1250.5'],
    ['5.', 'point', '5.'],
    ['120,', 'comma', '120'],
    ['1,250.00', 'point', null],
    ['1.250,00', 'comma', null],
    ['-5', 'point', null],
    ['', 'comma', null],
  ] as const)('plain %j with a decimal %s is %s', (text, mark, amount) => {
    expect(plainDecimal(text, mark)).toBe(amount === '5.' ? '5' : amount)
  })
})

const figures = fc.string({ unit: fc.constantFrom(..."0123456789.,’' -+$BZDUS\u00a0"), maxLength: 24 })
const wholes = fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String)
const places = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 8 })
const STYLES = [
  ['none', ''],
  ['three', ','],
  ['three', '.'],
  ['three', ' '],
  ['three', '\u00a0'],
  ['three', '\u202f'],
  ['three', "'"],
  ['three', '’'],
  ['indian', ','],
  ['indian', ' '],
] as const

function written(whole: string, cents: string, mark: DecimalMark, [style, grouping]: (typeof STYLES)[number]): string {
  const inThrees = /\B(?=(\d{3})+(?!\d))/g
  const indian = /\B(?=(\d{2})*\d{3}(?!\d))/g
  const grouped = style === 'none' ? whole : whole.replace(style === 'three' ? inThrees : indian, grouping)
  return cents === '' ? grouped : `${grouped}${mark === 'point' ? '.' : ','}${cents}`
}

describe('any text', () => {
  test('keeps every digit of what it reads as an amount', () => {
    fc.assert(
      fc.property(figures, fc.constantFrom(...MARKS), (text, mark) => {
        const read = readAmount(text, mark)
        fc.pre(read !== null)
        const digits = (of: string) => of.replace(/\D/g, '').replace(/^0+/, '')
        expect(digits(read?.amount ?? '')).toBe(digits(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is never decided where both marks read other amounts', () => {
    fc.assert(
      fc.property(figures, (text) => {
        const [point, comma] = MARKS.map((mark) => readAmount(text, mark)?.amount ?? null)
        const verdict = verdictOf(text)
        if (point === null && comma === null) expect(verdict).toBe('no-amounts')
        else if (point === comma) expect(verdict).toBe('whole')
        else if (point === null) expect(verdict).toBe('comma')
        else expect(verdict).toBe(comma === null ? 'point' : 'undecided')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an amount in any grouping style', () => {
  const anything = fc.tuple(wholes, places, fc.constantFrom(...MARKS), fc.constantFrom(...STYLES))

  test('reads back as the same amount', () => {
    fc.assert(
      fc.property(anything, ([whole, cents, mark, style]) => {
        fc.pre(style[1] !== (mark === 'point' ? '.' : ','))
        const amount = cents === '' ? whole : `${whole}.${cents}`
        expect(readAmount(written(whole, cents, mark, style), mark)?.amount).toBe(amount)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is refused under the wrong mark, or asked about', () => {
    fc.assert(
      fc.property(anything, ([whole, cents, mark, style]) => {
        fc.pre(style[1] !== (mark === 'point' ? '.' : ','))
        const text = written(whole, cents, mark, style)
        const wrong = readAmount(text, mark === 'point' ? 'comma' : 'point')?.amount ?? null
        const right = readAmount(text, mark)?.amount
        if (wrong !== null && wrong !== right) expect(verdictOf(text)).toBe('undecided')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the decimal mark of a column', () => {
  test.each([
    [['100', '200', '19,90'], 'comma'],
    [['1.080', '2.500', '7,5'], 'comma'],
    [['1.080', '12.50'], 'point'],
    [['1,080', '12.50'], 'point'],
    [['1.234.567'], 'comma'],
    [['1,234,567'], 'point'],
    [['0.750'], 'point'],
    [['1.080', '2.500'], 'undecided'],
    [['1,080', '300'], 'undecided'],
    [['300', '1 200', '-7'], 'whole'],
    [['1.250,00', '1,250.00'], 'mixed'],
    [['DEP-1', '', '05.05.2026'], 'no-amounts'],
    [['', 'Total', '7,50'], 'comma'],
  ] as const)('of %j is judged: %s', (texts, verdict) => {
    expect(verdictOf(...texts)).toBe(verdict)
  })

  test('is judged over ten thousand cells', () => {
    expect(verdictOf('7,50', ...Array.from({ length: 9_999 }, () => '100'), '7.50')).toBe('mixed')
  })

  test('is shown by the first cell, with both readings', () => {
    expect(judgeMark(columnOf('1.080', '2.500')).examples).toEqual([
      { place: 2, text: '1.080', readings: { point: '1.080', comma: '1080' } },
    ])
    expect(judgeMark(columnOf('7', '1.250,00', '3,5'))).toMatchObject({ deciding: 2, examples: [{ place: 3 }] })
  })
})
