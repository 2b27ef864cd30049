import { expect, test } from 'vitest'
import { isStorable, isStorableThroughout } from './json.ts'

test.each(['', 'text', 'line\nline\ttab', '👩‍💻', '\u0001', '\ufffd'])('%j can be stored', (text) => {
  expect(isStorable(text)).toBe(true)
})

test.each(['\0', 'a\0b', '\ud800', 'a\udc00b'])('%j cannot, at whatever depth it stands', (text) => {
  expect(isStorable(text)).toBe(false)
  for (const value of [text, [text], { a: text }, { a: [{ b: ['x', text] }] }, { [text]: 1 }]) {
    expect(isStorableThroughout(value)).toBe(false)
  }
})

test('values without such a text can be stored', () => {
  expect(isStorableThroughout({ a: [1, null, true, 'x', { b: 'y' }] })).toBe(true)
  expect(isStorableThroughout(undefined)).toBe(true)
})

test('a value as deep as a body can be is looked through to its end', () => {
  const deep = (inner: string): unknown => JSON.parse('['.repeat(30_000) + inner + ']'.repeat(30_000))
  expect(isStorableThroughout(deep('"x"'))).toBe(true)
  expect(isStorableThroughout(deep('"\\u0000"'))).toBe(false)
})
