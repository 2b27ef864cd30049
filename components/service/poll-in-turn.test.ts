import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollInTurn } from './poll-in-turn.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
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
