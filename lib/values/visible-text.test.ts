import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test.each([
  ['For Ana \u202Egnp.exe', 'For Ana [U+202E]gnp.exe'],
  ['\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['zero\u200Bwidth', 'zero[U+200B]width'],
  ['nul\u0000', 'nul[U+0000]'],
  ['line\none\ttab', 'line\none\ttab'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['👩\u200D🚀 ünïcode مرحبا', '👩\u200D🚀 ünïcode مرحبا'],
])('%j reads %j', (text, visible) => {
  expect(visibleText(text)).toBe(visible)
})
