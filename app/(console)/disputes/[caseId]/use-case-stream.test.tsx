import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack, onSessionOver } from '#components/service/session-events.ts'
import type { CaseSnapshot } from '#lib/disputes/live/case-stream.ts'
import type { CaseNews } from './follow-case.ts'
import { followWhileVisible, useCaseStream } from './use-case-stream.ts'

const ID = '00000000-0000-4000-8000-0000000c0001'
const PERSON = '00000000-0000-4000-8000-000000000011'

const initial: CaseSnapshot = {
  case: {
    id: ID,
    referenceId: 'reference',
    raisedByUserId: PERSON,
    counterpartyUserId: PERSON,
    status: 'OPEN',
    reason: 'The goods never came.',
    resolutionOutcome: null,
    resolutionReason: null,
    resolvedByUserId: null,
    createdAt: '2026-07-01T10:00:00.0000000Z',
    resolvedAt: null,
  },
  readOnly: false,
  messages: [
    {
      id: PERSON,
      senderUserId: PERSON,
      isSystemMessage: false,
      body: 'Nothing came.',
      createdAt: '2026-07-01T10:00:00.0000001Z',
    },
  ],
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Shown() {
  const { case: found, readOnly, messages, connection, unreadable, problem } = useCaseStream(ID, initial)
  return JSON.stringify([found.status, readOnly, messages.map(({ body }) => body), connection, unreadable, problem])
}

test('before any stream, a case is shown as the page was rendered', () => {
  const text = renderToString(<Shown />).replaceAll('&quot;', '"')
  expect(JSON.parse(text)).toEqual(['OPEN', false, ['Nothing came.'], 'catching up', 0, null])
})

test('a stream that ended with the session says so to the page, and goes on when the session is back', async () => {
  const signedOut = vi.fn()
  onSessionOver(signedOut)
  const answers = [401, 200]
  const asked = vi.fn(async () => new Response(new ReadableStream(), { status: answers.shift() ?? 500 }))
  vi.stubGlobal('fetch', asked)
  const news: CaseNews['type'][] = []
  const stop = followWhileVisible(ID, ({ type }) => news.push(type))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(signedOut).toHaveBeenCalledTimes(1)
  announceSessionBack()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveBeenCalledTimes(2)
  expect(news).toEqual(['opening', 'session-over', 'opening'])
  stop()
})

test('a browser that goes offline is told at once, and the stream begins anew when it is online', async () => {
  const asked = vi.fn(async () => new Response(new ReadableStream()))
  vi.stubGlobal('fetch', asked)
  const news: CaseNews['type'][] = []
  const stop = followWhileVisible(ID, ({ type }) => news.push(type))
  await vi.advanceTimersByTimeAsync(0)
  window.dispatchEvent(new Event('offline'))
  expect(news).toEqual(['opening', 'offline'])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveBeenCalledTimes(2)
  stop()
})
