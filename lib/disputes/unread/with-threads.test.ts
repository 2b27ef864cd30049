import { expect, test } from 'vitest'
import type { ThreadState } from './thread-state.ts'
import { withThreads } from './thread-state.ts'

const thread = (unread: number): ThreadState => ({ turn: 'us', unread, newest: null, lastAt: null, lastBy: null })

test('rows keep their places and what they say, with what a later reading knows of their threads', () => {
  const rows = [
    { id: 'b', reason: 'as shown', thread: thread(1), notices: ['mentioned'] },
    { id: 'a', reason: 'as shown', thread: null, notices: [] },
    { id: 'gone', reason: 'as shown', thread: thread(3), notices: [] },
  ]
  const later = [
    { id: 'a', reason: 'as it is now', thread: thread(2), notices: ['watching'] },
    { id: 'b', reason: 'as it is now', thread: null, notices: [] },
    { id: 'new', reason: 'as it is now', thread: thread(9), notices: [] },
  ]
  expect(withThreads(rows, later)).toEqual([
    { id: 'b', reason: 'as shown', thread: thread(1), notices: [] },
    { id: 'a', reason: 'as shown', thread: thread(2), notices: ['watching'] },
    { id: 'gone', reason: 'as shown', thread: thread(3), notices: [] },
  ])
})
