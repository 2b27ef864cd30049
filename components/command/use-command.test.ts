import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandReply, CommandView } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { untilKnown } from './use-command.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('reports an unanswered confirmation as not known only', async () => {
  const command = { id: 'c' } as CommandView
  const replies: (CommandReply | null)[] = [
    null,
    { ok: false, problem: problemOf('session-over', { status: 401 }) },
    { ok: false, problem: problemOf('console', { status: 503 }) },
    { ok: true, command },
  ]
  const why: string[] = []
  const known = vi.fn()
  void untilKnown(
    async () => replies.shift() ?? null,
    ({ kind }) => why.push(kind),
  ).then(known)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([why, known.mock.calls.length]).toEqual([['console-unreachable', 'session-over', 'console'], 0])
  await vi.advanceTimersByTimeAsync(2_500)
  expect(known).toHaveBeenCalledWith({ ok: true, command })
})
