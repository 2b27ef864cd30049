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

test('the first message that is new has a line above it, below that of its day', () => {
  expect(shape('UTC', 'b')).toEqual(['Monday 16 November', 'a', 'Tuesday 17 November', 'New', 'b', 'c'])
})
