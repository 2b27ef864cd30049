import { describe, expect, test } from 'vitest'
import { atBefore, mentionedIn, partsOf, peopleLike } from './mention.ts'

const [ana, maria, mail] = [
  { actor: 'sso:1', name: 'Ana' },
  { actor: 'sso:2', name: 'Ana Maria' },
  { actor: 'sso:3', name: 'mia@example.com' },
]
const people = [ana, maria, mail]

describe('a mention', () => {
  test.each([
    ['@Ana, look', ['Ana']],
    ['Ask @Ana Maria and (@mia@example.com).', ['Ana Maria', 'mia@example.com']],
    ['@Ana and @Ana Maria', ['Ana', 'Ana Maria']],
    ['@Anabel', []],
    ['x@Ana', []],
    ['@ana', []],
    ['@@Ana', []],
    ['Ana', []],
    ['@Ana\n@Ana', ['Ana']],
  ])('in “%s” is of %j', (text, names) => {
    expect(mentionedIn(text, people).map(({ name }) => name)).toEqual(names)
  })

  test('is of everyone with the name', () => {
    const other = { ...ana, actor: 'sso:9' }
    expect(mentionedIn('@Ana', [ana, other])).toEqual([ana, other])
  })

  test('keeps the whole text', () => {
    const text = 'Ask @Ana Maria, then @Ana.'
    const parts = partsOf(text, ['Ana', 'Ana Maria', ''])
    expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(parts.map(({ name }) => name)).toEqual([null, 'Ana Maria', null, 'Ana', null])
    for (const part of parts) expect(text.slice(part.at).startsWith(part.text)).toBe(true)
  })
})

test.each([
  ['@', 1, 0],
  ['ask @an', 7, 4],
  ['(@', 2, 1],
  ['a\n@x', 4, 2],
  ['a@', 2, null],
  ['@an ', 4, null],
  ['@an', 0, null],
])('an at sign in “%s” before %i is at %j', (text, caret, at) => {
  expect(atBefore(text, caret)).toBe(at)
})

test('offers names that begin with what is typed first', () => {
  const names = (typed: string) => peopleLike([mail, maria, ana], typed).map(({ name }) => name)
  expect(names('')).toEqual(['mia@example.com', 'Ana Maria', 'Ana'])
  expect(names('ana')).toEqual(['Ana Maria', 'Ana'])
  expect(names('M')).toEqual(['mia@example.com', 'Ana Maria'])
  expect(names('example')).toEqual(['mia@example.com'])
  expect(names('zoe')).toEqual([])
})
