import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAmount } from './amount.ts'

const units = (literal: string): bigint | string => {
  const read = readAmount(literal)
  return read.ok ? read.units : read.why
}

const NOT_ABOVE_ZERO = 'must be greater than zero'
const TOO_LARGE = 'must be less than 1,000,000,000,000'
const TOO_FINE = 'must have at most 8 decimal places'

describe('the literal of a JSON number as an amount', () => {
  test.each([
    ['1', 100_000_000n],
    ['250.00', 25_000_000_000n],
    ['1e2', 10_000_000_000n],
    ['1E+2', 10_000_000_000n],
    ['12.5e-1', 125_000_000n],
    ['0.00000001', 1n],
    ['1e-8', 1n],
    ['100e-10', 1n],
    ['0.0000000000001e5', 1n],
    ['1.0000000000', 100_000_000n],
    ['999999999999.99999999', 99_999_999_999_999_999_999n],
    ['99999999999999999999e-8', 99_999_999_999_999_999_999n],
    ['1e00000000000000000002', 10_000_000_000n],
  ])('%s is exact', (literal, amount) => expect(units(literal)).toBe(amount))

  test.each([
    ['0', NOT_ABOVE_ZERO],
    ['0e999999', NOT_ABOVE_ZERO],
    ['-1e2', NOT_ABOVE_ZERO],
    ['1e12', TOO_LARGE],
    ['999999999999.999999991e1', TOO_LARGE],
    ['1e999999', TOO_LARGE],
    [`1e${'9'.repeat(200_000)}`, TOO_LARGE],
    ['9'.repeat(200_000), TOO_LARGE],
    ['1e-9', TOO_FINE],
    ['0.000000001', TOO_FINE],
    [`1e-${'9'.repeat(200_000)}`, TOO_FINE],
    [`0.${'0'.repeat(200_000)}1`, TOO_FINE],
    ['NaN', 'must be a number'],
    ['1e', 'must be a number'],
  ])('refused: %.20s', (literal, why) => expect(units(literal)).toBe(why))

  test('is the same amount however it is written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }), fc.integer({ min: -40, max: 40 }), (amount, shift) => {
        const zeros = '0'.repeat(Math.max(0, shift))
        expect(units(`${amount}${zeros}e${-8 - Math.max(0, shift)}`)).toBe(amount)
        const padded = amount.toString().padStart(60, '0')
        const point = 30 + (shift % 20)
        const moved = `${padded.slice(0, point)}.${padded.slice(point)}e${60 - point - 8}`
        expect(units(moved)).toBe(amount)
      }),
    )
  })

  test('refuses an exponent of any size', () => {
    for (let n = 0; n < 1000; n += 1) expect(units('1e999999999')).toBe(TOO_LARGE)
  })
})
