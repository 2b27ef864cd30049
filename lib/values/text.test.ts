import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  holdsCardNumber,
  invisibleWords,
  lineFault,
  NOTE_MAX_CHARS,
  noteFault,
  visibleText,
  withoutInvisible,
} from './text.ts'

/** Luhn, written another way than in the code: doubles from the left by what is still to come. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, place) => {
    const doubled = (digits.length - place) % 2 === 1
    const value = Number(digit) * (doubled ? 2 : 1)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return digits + ((10 - (sum % 10)) % 10)
}

const numbers = fc
  .integer({ min: 12, max: 18 })
  .chain((length) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }))
  .map((digits) => withCheckDigit(digits.join('')))

describe('a card number', () => {
  test('is found wherever it stands', () => {
    const around = fc.constantFrom('', 'number ', ' (', '…', 'card:', ' – ')
    fc.assert(
      fc.property(around, numbers, around, (before, number, after) => {
        expect(holdsCardNumber(`${before}${number}${after}`)).toBe(true)
      }),
    )
  })

  test('is found in fours, with spaces, dashes or points between', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom(' ', '-', '.', '–', '\u00a0'), (number, between) => {
        const inFours = (number.match(/\d{1,4}/g) ?? []).join(between)
        expect(holdsCardNumber(inFours)).toBe(true)
        expect(holdsCardNumber(`2026${between}${inFours} 12`)).toBe(true)
      }),
    )
  })

  test.each(['\u202f', '\u2009', '\u2007', '\u2011', '\u2212', '—', '_', '/', '·', '  ', ' - ', '\n', '\t'])(
    'is found with %j between',
    (between) => {
      expect(holdsCardNumber(`number ${['9084', '0030', '7218', '3688'].join(between)}, lost`)).toBe(true)
      expect(holdsCardNumber(['3782', '822463', '10005'].join(between))).toBe(true)
    },
  )

  test.each([
    '９０８４００３０７２１８３６８８',
    '٤١١١ ١١١١ ١١١١ ١١١١',
    '۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱',
    '४१११ ११११ ११११ ११११',
    '၉၀၈၄၀၀၃၀၇၂၁၈၃၆၈၈',
    '𑄺𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷𑄷',
  ])('is found in the digits of %s', (number) => expect(holdsCardNumber(number)).toBe(true))

  test.each([
    ['3782 822463 10005', true],
    ['9084003072183689', false],
    ['call 501 600 0011 or 501-600-0012', false],
    ['00000000-0000-4000-8000-000000000011', false],
    ['user 3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15, ATL-2026-118842', false],
    ['2026-11-20 12:05:33', false],
    ['ends 3688', false],
    ['00000000000000000000000000', false],
  ])('in %j: %s', (text, found) => expect(holdsCardNumber(text)).toBe(found))
})

test.each([
  ['one line', 10, null],
  ['', 10, null],
  ['x'.repeat(11), 10, 'At most 10 characters; this has 11.'],
  ['𝒜'.repeat(10), 10, null],
  ['a\tb', 10, 'single line'],
  ['a\u2066b', 10, '[U+2066]'],
  ['\udc00', 10, 'incomplete character'],
] as const)('a line typed as %j, at most %i', (typed, max, words) => {
  const fault = lineFault(typed, max)
  if (words === null) expect(fault).toBeNull()
  else expect(fault).toContain(words)
})

test.each([
  ['stolen', null],
  ['', 'Enter a reason.'],
  [' \u00a0', 'Enter a reason.'],
  ['number was 9084 0030 7218 3688', 'Remove the card number'],
  ['number was 9084\u200B0030\u200B7218\u200B3688', 'Remove the card number'],
  // An id whose digits would pass for a card number's.
  ['see case 0a1b2c3d-0008-4111-8111-1abcdef01234', null],
  ['see x0a1b2c3d-0008-4111-8111-1abcdef01234', 'Remove the card number'],
] as const)('a note typed as %j', (typed, words) => {
  const fault = noteFault(typed, 'Enter a reason.')
  if (words === null) expect(fault).toBeNull()
  else expect(fault).toContain(words)
})

test('a note has a bound', () => {
  expect(noteFault('x'.repeat(NOTE_MAX_CHARS), '')).toBeNull()
  expect(noteFault('x'.repeat(NOTE_MAX_CHARS + 1), '')).toContain('At most 500')
})

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
