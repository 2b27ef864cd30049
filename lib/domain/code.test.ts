import { expect, test } from 'vitest'
import { readCode } from './code.ts'

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['12345678', '12345678'],
  ['1234', '1234'],
  ['ab12CD', 'ab12CD'],
  ['123', null],
  ['1'.repeat(21), null],
  ['123-456', null],
  ['', null],
  [null, null],
])('%s is the code %s', (typed, code) => {
  expect(readCode(typed)).toBe(code)
})
