import { expect, test } from 'vitest'
import { invisibleWords, visibleText, withoutInvisible } from './visible-text.ts'

test.each([
  ['For Ana \u202Egnp.exe', 'For Ana [U+202E]gnp.exe'],
  ['\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['zero\u200Bwidth', 'zero[U+200B]width'],
  ['nul\u0000', 'nul[U+0000]'],
  ['A\u3164B\u115F\uFFA0', 'A[U+3164]B[U+115F][U+FFA0]'],
  ['A\u034FB\u2800\u2028', 'A[U+034F]B[U+2800][U+2028]'],
  ['ATL-1\uFE0F\uFE00', 'ATL-1[U+FE0F][U+FE00]'],
  ['tag\u{E0041}', 'tag[U+E0041]'],
  ['line\none\ttab', 'line\none\ttab'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['👩\u200D🚀 ünïcode مرحبا', '👩\u200D🚀 ünïcode مرحبا'],
  ['❤\uFE0F 1\uFE0F\u20E3 🏳\uFE0F\u200D🌈', '❤\uFE0F 1\uFE0F\u20E3 🏳\uFE0F\u200D🌈'],
])('%j reads %j', (text, visible) => {
  expect(visibleText(text)).toBe(visible)
})

test('removes every invisible character of a reference', () => {
  const invisible = '\u200B\u00AD\u200C\u200D\u200E\u2060\uFEFF\uFE0F\u034F\u3164\u115F\u2800\u2028\u0001\u{E0041}'
  expect(withoutInvisible([...invisible].map((character) => `A${character}`).join(''))).toBe('A'.repeat(15))
  expect(withoutInvisible('DEP~1 \t ünï-مرحبا')).toBe('DEP~1 \t ünï-مرحبا')
  expect(withoutInvisible('nul\0')).toBe('nul\0')
})

test('names the characters that it removes', () => {
  expect(invisibleWords('DEP-1')).toBeNull()
  expect(invisibleWords('DEP\u200B-1')).toBe('1 invisible character: U+200B')
  expect(invisibleWords('\u200B\u00AD\u200B')).toBe('3 invisible characters: U+200B, U+00AD')
  expect(invisibleWords('\u200B\u00AD\u200C\u200D\u200E\u200F')).toMatch(/U\+200E, …$/)
})
