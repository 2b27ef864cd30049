import { expect, test } from 'vitest'
import { type News, NO_NEWS, nextNews } from './use-thread-news.ts'

const left = { type: 'moved', atEnd: false } as const
const back = { type: 'moved', atEnd: true } as const
const arrived = (...ids: string[]) => ({ type: 'arrived', ids }) as const

const after = (...events: Parameters<typeof nextNews>[1][]): [readonly string[], number] => {
  const { since, missed } = events.reduce<News>(nextNews, NO_NEWS)
  return [[...since], missed]
}

test('marks messages that come while reading the end', () => {
  expect(after(arrived('a'), arrived('b', 'c'))).toEqual([['a', 'b', 'c'], 0])
})

test('what comes after one has left the end is counted, and the mark stands before the first of it', () => {
  expect(after(arrived('a'), left)).toEqual([['a'], 0])
  expect(after(arrived('a'), left, arrived('b'), arrived('c', 'd'))).toEqual([['b', 'c', 'd'], 3])
})

test('back at the end nothing is missed and the mark stays; leaving again starts a new count', () => {
  const there = [left, arrived('a'), back] as const
  expect(after(...there)).toEqual([['a'], 0])
  expect(after(...there, arrived('b'))).toEqual([['a', 'b'], 0])
  expect(after(...there, left, arrived('c'))).toEqual([['c'], 1])
})
