import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StreamEvent } from '#lib/disputes/live/case-stream.ts'
import { type CaseNews, followCase } from './follow-case.ts'

const status: StreamEvent = { type: 'status', status: { state: 'live', unreadable: 0, problem: null } }

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A console that answers each opening with the next of these; the last one stays open. */
function consoleThat(...answers: readonly (readonly StreamEvent[] | number | 'down')[]) {
  const stop = new AbortController()
  const received: CaseNews['type'][] = []
  const openings: number[] = []
  const open = async (signal: AbortSignal): Promise<Response> => {
    const answer = answers[openings.length]
    openings.push(Date.now())
    if (answer === 'down') throw new TypeError('Failed to fetch')
    if (typeof answer === 'number') return new Response('{}', { status: answer })
    const last = openings.length >= answers.length
    const text = (answer ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text))
          if (!last) controller.close()
          signal.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  }
  const ended = followCase({ open, signal: stop.signal, onNews: (news) => received.push(news.type) })
  return { stop, received, openings, ended }
}

test('a stream that breaks is opened again, and the page is told that it is offline meanwhile', async () => {
  const { received, stop, ended } = consoleThat([status], 'down', 503, [status])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(received).toEqual([
    'opening',
    'status',
    'offline',
    'opening',
    'offline',
    'opening',
    'offline',
    'opening',
    'status',
  ])
  stop.abort()
  await ended
})

test('it waits longer after every failure, and never more than half a minute', async () => {
  const { openings, stop } = consoleThat(...Array.from({ length: 30 }, () => 'down' as const))
  await vi.advanceTimersByTimeAsync(400_000)
  stop.abort()
  const pauses = openings.slice(1).map((at, index) => at - (openings[index] ?? 0))
  for (const [failures, pause] of pauses.entries()) {
    const whole = Math.min(30_000, 500 * 2 ** failures)
    expect(pause).toBeGreaterThanOrEqual(whole / 2)
    expect(pause).toBeLessThanOrEqual(whole)
  }
  expect(pauses.length).toBeGreaterThan(12)
})

test('a stream that asks for it is opened anew within a second, without a word', async () => {
  const { received, stop } = consoleThat([status, { type: 'resync' }], [status])
  await vi.advanceTimersByTimeAsync(1_000)
  stop.abort()
  expect(received).toEqual(['opening', 'status', 'opening', 'status'])
})

test.each([
  ['that is closed because too many are open', [{ type: 'closed', why: 'too-many-streams' }], 'paused'],
  ['that is closed because the session is over', [{ type: 'closed', why: 'session-over' }], 'session-over'],
  ['of a session that is over', 401, 'session-over'],
  ['that the console refuses', 403, 'refused'],
] satisfies [string, StreamEvent[] | number, string][])(
  'a stream %s does not come back by itself',
  async (_what, answer, word) => {
    const { received, ended } = consoleThat(answer, [status])
    await vi.advanceTimersByTimeAsync(60_000)
    await ended
    expect(received).toEqual(['opening', word])
  },
)
