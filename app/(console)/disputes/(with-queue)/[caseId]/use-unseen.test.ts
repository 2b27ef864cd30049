import { expect, test } from 'vitest'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { countAhead, NOTHING_UNSEEN, nextUnseen, openingOf, type Unseen } from './use-unseen.ts'

const left = { type: 'moved', atEnd: false } as const
const back = { type: 'moved', atEnd: true } as const
const arrived = (...ids: string[]) => ({ type: 'arrived', ids }) as const

const after = (...events: Parameters<typeof nextUnseen>[1][]): [readonly string[], number] => {
  const { since, missed } = events.reduce<Unseen>(nextUnseen, NOTHING_UNSEEN)
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

const message = (id: string, minute: number, senderUserId: string | null = 'ana'): ThreadMessage => ({
  id,
  senderUserId,
  isSystemMessage: senderUserId === null,
  body: id,
  createdAt: `2026-11-20T10:0${minute}:00Z`,
})
const [first, own, system, second, third] = [
  message('first', 0),
  message('own', 1, 'me'),
  message('system', 2, null),
  message('second', 3),
  message('third', 4),
] as const
const thread = [first, own, system, second, third]
const upTo = (last: ThreadMessage) => ({ upTo: orderKey(last) })

test('a thread opens at its first unread message of others', () => {
  expect(openingOf(thread, 'me', upTo(first))).toEqual({ at: 'unread', id: 'second' })
  expect(openingOf(thread, null, upTo(first))).toEqual({ at: 'unread', id: 'own' })
  expect(openingOf(thread, 'me', upTo(third))).toEqual({ at: 'end' })
})

test('a thread seen for the first time opens at its top', () => {
  expect(openingOf(thread, 'me', { upTo: null })).toEqual({ at: 'top' })
  expect(openingOf(thread, 'me', null)).toEqual({ at: 'end' })
})

test('unread messages count until they are passed', () => {
  expect(countAhead(thread, 'me', { upTo: null, passed: null })).toBe(3)
  expect(countAhead(thread, 'me', { ...upTo(first), passed: null })).toBe(2)
  expect(countAhead(thread, 'me', { ...upTo(first), passed: second })).toBe(1)
  expect(countAhead(thread, 'me', { ...upTo(third), passed: first })).toBe(0)
})
