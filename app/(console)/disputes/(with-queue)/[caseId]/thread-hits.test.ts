import { expect, test } from 'vitest'
import { findMatches } from './thread-items.ts'

const found = (text: string, wanted: string) => findMatches(text, wanted).map(([from, to]) => text.slice(from, to))

test('a text is found wherever it stands, in letters of either case', () => {
  expect(findMatches('Parcel, parcel: PARCEL', 'parcel')).toEqual([
    [0, 6],
    [8, 14],
    [16, 22],
  ])
  expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(found('The İstanbul office', 'istanbul')).toEqual([])
  expect(found('Straße 5', ' 5')).toEqual(['5'])
})

test('nothing is found for nothing', () => {
  expect(findMatches('some words', ' ')).toEqual([])
  expect(findMatches('', 'x')).toEqual([])
})

test('what is a sign of a pattern elsewhere is a sign like any other here', () => {
  const odd = String.raw`a\b^$.*+?()[]{}|/-c`
  expect(found(`before ${odd} after`, odd)).toEqual([odd])
  for (const sign of [...odd]) expect(found(sign, sign)).toEqual([sign])
  expect(found('ab', '.')).toEqual([])
})
