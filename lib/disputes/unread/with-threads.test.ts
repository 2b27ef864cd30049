import { expect, test } from 'vitest'
import type { ThreadState } from './thread-state.ts'
import { withThreads } from './thread-state.ts'

const thread = (unread: number): ThreadState => ({ turn: 'us', unread, newest: null, lastAt: null, lastBy: null })

test('rows keep their places, with later threads and deadlines', () => {
  const rows = [
    { id: 'b', reason: 'as shown', thread: thread(1), notices: ['mentioned'], answerBy: 'noon' },
    { id: 'a', reason: 'as shown', thread: null, notices: [], answerBy: null },
    { id: 'gone', reason: 'as shown', thread: thread(3), notices: [], answerBy: 'noon' },
  ]
  const later = [
    { id: 'a', reason: 'as it is now', thread: thread(2), notices: ['watching'], answerBy: 'noon' },
    { id: 'b', reason: 'as it is now', thread: null, notices: [], answerBy: null },
    { id: 'new', reason: 'as it is now', thread: thread(9), notices: [], answerBy: null },
  ]
  expect(withThreads(rows, later)).toEqual([
    { id: 'b', reason: 'as shown', thread: thread(1), notices: [], answerBy: null },
    { id: 'a', reason: 'as shown', thread: thread(2), notices: ['watching'], answerBy: 'noon' },
    { id: 'gone', reason: 'as shown', thread: thread(3), notices: [], answerBy: 'noon' },
  ])
})
