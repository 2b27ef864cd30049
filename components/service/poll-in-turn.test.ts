import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollInTurn } from './poll-in-turn.ts'
import { announceSessionBack } from './session-events.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a round begins when the last one has ended, well or not, and none after it is stopped', async () => {
  const ends: PromiseWithResolvers<void>[] = []
  const stop = pollInTurn(() => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  }, 1_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ends).toHaveLength(1)
  ends[0]?.resolve()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(2)
  ends[1]?.reject(new Error('no answer'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(3)
  stop()
  ends[2]?.resolve()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ends).toHaveLength(3)
})

test('a session that is back begins a round at once, or right after the one that is under way', async () => {
  const ends: PromiseWithResolvers<void>[] = []
  const stop = pollInTurn(() => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  }, 60_000)
  announceSessionBack()
  expect(ends).toHaveLength(1)
  announceSessionBack()
  expect(ends).toHaveLength(1)
  ends[0]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toHaveLength(2)
  ends[1]?.resolve()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(ends).toHaveLength(2)
  stop()
  announceSessionBack()
  expect(ends).toHaveLength(2)
})
