import { expect, test } from 'vitest'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { threadItems } from './thread-items.ts'

const message = (id: string, createdAt: string): ThreadMessage => ({
  id,
  senderUserId: null,
  isSystemMessage: true,
  body: id,
  createdAt,
})

const shape = (zone: string, firstNew: string | null) =>
  threadItems(
    [
      message('a', '2026-11-16T15:12:00.0000000Z'),
      message('b', '2026-11-17T03:00:00.1000000Z'),
      message('c', '2026-11-17T20:00:00.2000000Z'),
    ],
    firstNew,
    zone,
  ).map((item) => {
    if (item.kind === 'message') return item.message.id
    return item.kind === 'day' ? item.day : 'New'
  })

test('every day has one line above it, as the zone counts days', () => {
  expect(shape('UTC', null)).toEqual(['Monday 16 November', 'a', 'Tuesday 17 November', 'b', 'c'])
  expect(shape('America/Belize', null)).toEqual(['Monday 16 November', 'a', 'b', 'Tuesday 17 November', 'c'])
})

test('days of other years are shown with their year', () => {
  const thread = [message('a', '2020-11-16T10:00:00.0000000Z'), message('b', '2026-11-16T10:00:00.0000000Z')]
  const days = threadItems(thread, null, 'UTC', '2026').flatMap((item) => (item.kind === 'day' ? [item.day] : []))
  expect(days).toEqual(['Monday 16 November 2020', 'Monday 16 November'])
})

test('the first message that is new has a line above it, below that of its day', () => {
  expect(shape('UTC', 'b')).toEqual(['Monday 16 November', 'a', 'Tuesday 17 November', 'New', 'b', 'c'])
})

const written = (id: string, senderUserId: string, at: string): ThreadMessage => ({
  ...message(id, `2026-11-16T${at}.0000000Z`),
  senderUserId,
  isSystemMessage: false,
})

/** Of each message: its id, with a plus where it belongs to the one above. */
const groups = (messages: readonly ThreadMessage[], firstNew: string | null = null) =>
  threadItems(messages, firstNew, 'UTC').flatMap((item) =>
    item.kind === 'message' ? [`${item.follows ? '+' : ''}${item.message.id}`] : [],
  )

test('messages of one person belong together while each comes within five minutes of the one before', () => {
  const thread = [
    written('a', 'ana', '10:00:00'),
    written('b', 'ANA', '10:05:00'),
    written('c', 'ana', '10:09:59'),
    written('d', 'ana', '10:15:00'),
    written('e', 'ben', '10:15:01'),
    written('f', 'ana', '10:15:02'),
  ]
  expect(groups(thread)).toEqual(['a', '+b', '+c', 'd', 'e', 'f'])
})

test('separates messages of one person by day, mark or note', () => {
  const [a, b] = [written('a', 'ana', '10:00:00'), written('b', 'ana', '10:00:01')]
  expect(groups([a, b], 'b')).toEqual(['a', 'b'])
  expect(groups([a, message('s', '2026-11-16T10:00:00.5000000Z'), b])).toEqual(['a', 's', 'b'])
  const [late, early] = [written('a', 'ana', '23:59:59'), { ...b, createdAt: '2026-11-17T00:00:01.0000000Z' }]
  expect(groups([late, early])).toEqual(['a', 'b'])
})
