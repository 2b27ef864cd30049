import { describe, expect, test } from 'vitest'
import { CARD_NUMBER_REFUSED, isCardNumber, searchFault, searchOf } from './card-search.ts'

const ID = '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15'

test.each([
  ['', { by: 'nothing' }],
  ['  ', { by: 'nothing' }],
  [` ${ID.toUpperCase()} `, { by: 'id', id: ID.toUpperCase() }],
  ['11111111-2222-4333-8444-555555555555', { by: 'id', id: '11111111-2222-4333-8444-555555555555' }],
  ['0042', { by: 'last-four', last4: '0042' }],
  ['2', { by: 'words', words: '2' }],
  [' Ana Al ', { by: 'words', words: 'Ana Al' }],
  ['محمد', { by: 'words', words: 'محمد' }],
])('%j is searched', (typed, search) => {
  expect(searchFault(typed)).toBeNull()
  expect(searchOf(typed)).toEqual(search)
})

describe('a whole card number', () => {
  test.each([
    '9084003072183688',
    '9084 0030 7218 3688',
    '9084-0030-7218-3688',
    '9084.0030.7218.3688',
    // One digit is wrong, or the last is missing: still nearly the whole of a number.
    '9084003072183689',
    '908400307218368',
    '  9084003072183688\n',
    'card 9084003072183688 of Ana',
    '4000 123456 12345',
    '٩٠٨٤ ٠٠٣٠ ٧٢١٨ ٣٦٨٨',
    '٩٠٨٤٠٠٣٠٧٢١٨٣٦٨٩',
  ])('typed as %j is refused, and nothing of it is kept', (typed) => {
    expect(isCardNumber(typed)).toBe(true)
    expect(searchFault(typed)).toBe(CARD_NUMBER_REFUSED)
    expect(CARD_NUMBER_REFUSED).not.toMatch(/\d{4}/)
  })

  test.each([ID, '11111111-2222-4333-8444-555555555555', '1234', 'Ana', '12345'])('is not %j', (typed) => {
    expect(isCardNumber(typed)).toBe(false)
  })
})

test.each([
  ['12345', 'Enter a full id, or the last four digits'],
  ['0030 7218', 'Enter a full id, or the last four digits'],
  ['00000000-0000-4000-8000-00000000001', 'Enter a full id'],
  ['x'.repeat(65), 'At most 64 characters'],
  ['Ana\u202E', '[U+202E]'],
])('%j is refused and stays typed', (typed, words) => {
  expect(searchFault(typed)).toContain(words)
  expect(isCardNumber(typed)).toBe(false)
})
