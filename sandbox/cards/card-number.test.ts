import { expect, test } from 'vitest'
import { seededRandomness } from '#sandbox/world/random.ts'
import { bareNumber, newCardNumber } from './card-number.ts'

/** Luhn as a reader of cards checks it, left to right, written apart from the code that makes the digit. */
function adds(number: string): boolean {
  let sum = 0
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[place])
    sum += (number.length - place) % 2 === 1 ? digit : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit]!
  }
  return sum % 10 === 0
}

test('the check itself knows a good number from a bad one', () => {
  expect(adds('4539578763621486')).toBe(true)
  expect(adds('4539578763621487')).toBe(false)
})

test('sixteen digits of one issuer, checked by Luhn, and hardly ever the same', () => {
  const random = seededRandomness('card numbers')
  const numbers = Array.from({ length: 2000 }, () => newCardNumber(random))
  for (const number of numbers) {
    expect(number).toMatch(/^908400\d{10}$/)
    expect(adds(number)).toBe(true)
  }
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('keeps sixteen digits when the random part is small', () => {
  const number = newCardNumber({ bytes: (length) => Buffer.alloc(length) })
  expect(number).toMatch(/^908400000000000\d$/)
  expect(adds(number)).toBe(true)
})

test.each([
  ['9084 0012 3456 7890'],
  ['9084-0012-3456-7890'],
  [' 9084–0012—3456‑7890\t'],
  ['9084\u00a00012\u00a03456\u00a07890'],
])('spacing and dashes are taken out: %s', (typed) => {
  expect(bareNumber(typed)).toBe('9084001234567890')
})
