import { describe, expect, test } from 'vitest'
import {
  fillSnippet,
  nameKey,
  type Snippet,
  slashBefore,
  snippetNameFault,
  snippetsFor,
  snippetTextFault,
} from './snippet.ts'

describe('the fields of a snippet', () => {
  const values = { amount: '20.25 BZD', case: 'c-1' }

  test.each([
    ['Refund of {amount} in {case}.', 'Refund of 20.25 BZD in c-1.', null],
    ['Dear {sender}, {amount}.', 'Dear {sender}, 20.25 BZD.', [5, 13]],
    ['{amount}: {day} or {reference}', '20.25 BZD: {day} or {reference}', [11, 16]],
    ['{constructor} {}', '{constructor} {}', [0, 13]],
    ['No field', 'No field', null],
  ])('of %j are filled in up to the first unknown', (text, filled, gap) => {
    expect(fillSnippet(text, values)).toEqual({ text: filled, gap })
    if (gap !== null) expect(filled.slice(...(gap as [number, number]))).toMatch(/^\{[a-z]+\}$/)
  })

  test('that stand in what is filled in are left as they are', () => {
    expect(fillSnippet('{case} {amount}', { case: '{amount}', amount: '1' }).text).toBe('{amount} 1')
  })
})

test.each([
  ['/', 1, 0],
  ['Dear /', 6, 5],
  ['Dear\n/', 6, 5],
  ['(/', 2, 1],
  ['and/', 4, null],
  ['//', 2, null],
  ['/ ', 2, null],
  ['', 0, null],
])('in %j with the caret at %i a list opens at %s', (text, caret, at) => {
  expect(slashBefore(text, caret)).toBe(at)
})

describe('the snippets that fit what is typed', () => {
  const snippet = (name: string, text = ''): Snippet => ({ id: name, name, text, changedBy: '', changedAt: '' })
  const all = [snippet('Ask for a proof', 'Send the receipt.'), snippet('Proof came'), snippet('Refund')]
  const names = (typed: string) => snippetsFor(all, typed).map(({ name }) => name)

  test('have each of its words, and begin with those whose name does', () => {
    expect(names('')).toEqual(['Ask for a proof', 'Proof came', 'Refund'])
    expect(names('PROOF')).toEqual(['Proof came', 'Ask for a proof'])
    expect(names('receipt ask')).toEqual(['Ask for a proof'])
    expect(names('nothing')).toEqual([])
  })
})

test('a name has 60 characters at most, a text 4,000, and neither a card number', () => {
  expect([snippetNameFault('x'.repeat(60)), snippetTextFault('x'.repeat(4_000))]).toEqual([null, null])
  expect(snippetNameFault('x'.repeat(61))).toContain('At most 60')
  expect(snippetTextFault('x'.repeat(4_001))).toContain('At most 4,000')
  expect([snippetNameFault(' '), snippetTextFault(' \n')]).toEqual([expect.any(String), expect.any(String)])
  expect(snippetNameFault('a\nb')).toContain('single line')
  for (const fault of [snippetNameFault, snippetTextFault])
    expect(fault('4242 4242 4242 4242')).toContain('card number')
})

test('two names are the same however they are written', () => {
  expect(nameKey(' Ask For Proof ')).toBe(nameKey('ask for proof'))
  expect(nameKey('Caf\u00e9')).toBe(nameKey('Cafe\u0301'))
})
