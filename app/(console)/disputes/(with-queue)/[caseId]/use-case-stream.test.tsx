// @vitest-environment happy-dom
import { act } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseSnapshot } from '#lib/disputes/live/case-stream.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { begin, connectionOf, nextState, useCaseStream } from './use-case-stream.ts'

const refreshed = vi.hoisted((): string[] => [])
vi.mock('#components/stream/subscribe.ts', () => ({
  connectionState: () => 'live',
  refreshTopic: (topic: string) => refreshed.push(topic),
  subscribe: () => () => {},
}))

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

function Shown() {
  const { case: found, readOnly, messages, connection, unreadable, problem } = useCaseStream(ID, initial)
  return JSON.stringify([found.status, readOnly, messages.map(({ body }) => body), connection, unreadable, problem])
}

test('shows the case as rendered before any stream', () => {
  const text = renderToString(<Shown />).replaceAll('&quot;', '"')
  expect(JSON.parse(text)).toEqual(['OPEN', false, ['Nothing came.'], 'catching up', 0, null])
})

test('shows why the console refuses to stream a case', () => {
  const problem = problemOf('console', { status: 429, title: 'Too many tabs of this console are open' })
  const live = nextState(begin(initial), { type: 'connection', connection: 'live' })
  const refused = nextState(live, { type: 'refused', problem })
  expect([connectionOf(refused), refused.refusal, refused.view.messages]).toEqual([
    'refused',
    problem,
    initial.messages,
  ])
  const followed = nextState(refused, { type: 'status', status: { state: 'live', unreadable: 0, problem: null } })
  expect([connectionOf(followed), followed.refusal]).toEqual([null, null])
  // The bar says that the console does not answer.
  const away = nextState(nextState(live, { type: 'connection', connection: 'offline' }), { type: 'refused', problem })
  expect([connectionOf(away), away.refusal]).toEqual([null, null])
})

test('asks for the case again after a quick switch of tabs', async () => {
  await renderPage(<Shown />)
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  expect(refreshed).toEqual([`thread ${ID}`])
  await closePage()
})
