import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactText, isAmount, shownAmount } from './amount-text.ts'
import { Money } from './money.ts'

const wire = (text: string): Money => {
  const money = Money.fromWire(text)
  if (money === null) throw new Error(`${text} is not an amount`)
  return money
}

const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const asText = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(9, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

describe('what a person typed', () => {
  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['250,00', 'comma'],
    // Thousands here, a fraction elsewhere.
    ['1,250', 'comma'],
    ['1.250,00', 'comma'],
    ['1 250,00', 'comma'],
    ['12,50.00', 'comma'],
    ['1,2500.00', 'comma'],
    ['1,250 000.00', 'comma'],
    ['0,250.00', 'comma'],
    ['1,250.00,00', 'comma'],
    ['1.250.000', 'not-a-number'],
    ['1 25.00', 'not-a-number'],
    ['1. 250', 'not-a-number'],
    ['USD 1,250.00', 'other-currency'],
    ['1,250.00 EUR', 'other-currency'],
    ['$1,250.00', 'other-currency'],
    ['JDX 5', 'other-currency'],
    ['BZD', 'not-a-number'],
    ['BZD -5', 'negative'],
    ['1250 BZD 5', 'not-a-number'],
    ['-5', 'negative'],
    ['−5', 'negative'],
    ['1.123456789', 'too-many-places'],
    ['ten', 'not-a-number'],
    ['1e3', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['NaN', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['1.', 'not-a-number'],
    ['.5', 'not-a-number'],
    ['9'.repeat(31), 'too-long'],
  ])('%j is refused: %s', (typed, fault) => {
    expect(Money.fromTyped(typed)).toEqual({ ok: false, fault })
  })

  test.each([
    ['250', '250.00000000'],
    [' 250.00 ', '250.00000000'],
    ['0.00000001', '0.00000001'],
    ['007', '7.00000000'],
    ['1250', '1250.00000000'],
    ['1,250.00', '1250.00000000'],
    ['1 250.00', '1250.00000000'],
    ['1\u00a0250.00', '1250.00000000'],
    ['1\u202f250\u202f000', '1250000.00000000'],
    ['BZD 1,250.00', '1250.00000000'],
    ['bzd1,250.00', '1250.00000000'],
    ['1,250.00 BZD', '1250.00000000'],
    ['BZ$1,250.00', '1250.00000000'],
    ['+ 1,250.00', '1250.00000000'],
    // Two groups: no fraction is written so.
    ['1,250,000', '1250000.00000000'],
    ['1.250', '1.25000000'],
  ])('%j is %s', (typed, exact) => {
    const read = Money.fromTyped(typed)
    expect(read.ok && read.money.toExact()).toBe(exact)
  })
})

test('reads every amount that the console shows as itself', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((value) => wire(asText(value)))
  const dress = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.replaceAll(',', ' '),
    (text) => text.replaceAll(',', '\u00a0'),
    (text) => text.replaceAll(',', ''),
  )
  const currency = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `BZD ${text}`,
    (text) => `${text} BZD`,
  )
  fc.assert(
    fc.property(amounts, dress, currency, (amount, grouping, named) => {
      const read = Money.fromTyped(named(grouping(amount.toShown())))
      expect(read.ok && read.money.equals(amount)).toBe(true)
    }),
  )
})

test('whatever is pasted is read as the digits that stand in it, in their order, or refused', () => {
  const pasted = fc.string({ unit: fc.constantFrom(...'0123456789,. \u00a0BZD$+-'), maxLength: 16 })
  fc.assert(
    fc.property(pasted, (text) => {
      const read = Money.fromTyped(text)
      if (!read.ok) return
      const digits = (from: string) => from.replace(/\D/g, '').replace(/^0+/, '')
      const [whole = '', places = ''] = text.replace(/[^\d.]/g, '').split('.')
      expect(digits(read.money.toExact())).toBe(digits(whole + places.padEnd(8, '0')))
    }),
    { numRuns: 2_000 },
  )
})

describe('how it is shown', () => {
  test.each([
    ['250.00000000', '250.00'],
    ['250.00125000', '250.00125'],
    ['0.00000001', '0.00000001'],
    ['1234567.50000000', '1,234,567.50'],
    ['-1234.00000000', '−1,234.00'],
    ['-0.00000000', '0.00'],
    ['999999999999999999999999999999.99999999', '999,999,999,999,999,999,999,999,999,999.99999999'],
  ])('%s reads %s', (text, shown) => {
    expect(wire(text).toShown()).toBe(shown)
  })
})

test('text of the service that is no decimal is not an amount', () => {
  for (const text of ['', '1e3', 'NaN', '1.123456789', ' 1', '1,0', '--1', '9'.repeat(31)]) {
    expect(Money.fromWire(text)).toBeNull()
  }
})

test('every amount comes back from text as it went', () => {
  fc.assert(
    fc.property(units, (value) => {
      expect(wire(asText(value)).toExact()).toBe(asText(value))
    }),
  )
})

test('an amount is shown by its text alone as by reckoning with it', () => {
  const places = fc.integer({ min: 0, max: 8 })
  fc.assert(
    fc.property(units, places, fc.constantFrom('', '0', '000'), (value, kept, zeros) => {
      const [whole = '', fraction = ''] = asText(value).split('.')
      const cut = fraction.slice(0, kept)
      const text = `${whole.replace(/^(-?)/, `$1${zeros}`)}${cut === '' ? '' : `.${cut}`}`
      fc.pre(isAmount(text))
      expect([exactText(text), shownAmount(text)]).toEqual([wire(text).toExact(), wire(text).toShown()])
    }),
  )
  expect(exactText('-0.00')).toBe('0.00000000')
  expect(shownAmount('1e3')).toBe('1e3')
})

const LARGEST = 10n ** 38n - 1n
const bounds = fc.oneof(
  fc.bigInt({ min: -LARGEST, max: LARGEST }),
  fc.constantFrom(LARGEST, -LARGEST, LARGEST - 1n, 10n ** 37n, 1n, -1n, 0n),
)

test('subtracts and compares every amount without rounding', () => {
  fc.assert(
    fc.property(bounds, bounds, bounds, (a, b, c) => {
      const [x, y, z] = [wire(asText(a)), wire(asText(b)), wire(asText(c))]
      expect(x.minus(y).toExact()).toBe(asText(a - b))
      expect(x.minus(y).minus(z).toExact()).toBe(asText(a - b - c))
      expect(x.minus(y).absolute().toExact()).toBe(asText(a < b ? b - a : a - b))
      expect(x.equals(y)).toBe(a === b)
      expect(x.isMoreThan(y)).toBe(a > b)
      expect(x.minus(y).isNegative()).toBe(a < b)
      expect(x.minus(y).isZero()).toBe(a === b)
    }),
    { numRuns: 2_000 },
  )
})
