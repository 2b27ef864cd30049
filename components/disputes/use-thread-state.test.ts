import { expect, test } from 'vitest'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { withSeen } from './case-marks.tsx'

const thread: ThreadState = { turn: 'us', unread: 2, newest: 'b', lastAt: 'then', lastBy: 'sender' }

test('what was in view here is unread in no list that was read before', () => {
  expect(withSeen(thread, 'b')).toEqual({ ...thread, unread: 0, newest: null })
  expect(withSeen(thread, 'c')).toMatchObject({ unread: 0, turn: 'us' })
})

test('what came after it stays unread', () => {
  expect(withSeen(thread, 'a')).toBe(thread)
  expect(withSeen(thread, '')).toBe(thread)
})
