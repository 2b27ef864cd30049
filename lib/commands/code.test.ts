import { expect, test } from 'vitest'
import { isWholeCode, readCode } from './code.ts'

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

test.each([
  ['123456', 6, true],
  ['123 456', 6, true],
  ['12345678', 8, true],
  ['123456', 8, false],
  ['12345', 6, false],
  ['abcdef', 6, false],
  // Six digits may be the beginning of more: each try counts towards a lock.
  ['123456', null, false],
])('%s, of %s digits, is sent by itself: %s', (typed, digits, sent) => {
  expect(isWholeCode(typed, digits)).toBe(sent)
})
