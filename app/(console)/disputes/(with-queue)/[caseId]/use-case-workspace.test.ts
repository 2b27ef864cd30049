import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import { WorkspaceWatch } from './use-case-workspace.ts'

const stream = vi.hoisted(() => ({
  send: null as ((result: unknown) => void) | null,
  topics: [] as string[],
  refreshes: 0,
}))

vi.mock('#components/stream/subscribe.ts', () => ({
  refreshTopic: () => {
    stream.refreshes += 1
  },
  subscribe: (topic: string, onResult: (result: unknown) => void) => {
    stream.topics.push(topic)
    stream.send = onResult
    return () => {
      stream.send = null
    }
  },
}))

const workspace = (holderName: string): CaseWorkspace => ({
  me: 'sso:1',
  authors: [],
  open: true,
  mayWork: true,
  closed: false,
  snooze: null,
  watch: null,
  answerBy: null,
  claim: { caseId: 'c', holder: 'sso:2', holderName, since: '2026-11-21T09:00:00.000Z' },
  viewers: [],
  notes: [],
  earlierNotes: 0,
  people: [],
})
const send = (result: TopicResult<CaseWorkspace>) => stream.send?.(result)
const shown = (watch: WorkspaceWatch) => [watch.seen.workspace?.claim?.holderName, watch.seen.problem?.status ?? null]

beforeEach(() => {
  stream.topics = []
  stream.refreshes = 0
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('subscribes once for all listeners, until the last one stops', () => {
  const watch = new WorkspaceWatch('c')
  const publish = vi.fn()
  const stops = [watch.listen(publish), watch.listen(() => {})]
  send({ ok: true, value: workspace('mia') })
  expect([stream.topics, shown(watch), publish.mock.calls.length]).toEqual([['workspace c'], ['mia', null], 1])
  stops[0]?.()
  expect(stream.send).not.toBeNull()
  stops[1]?.()
  expect(stream.send).toBeNull()
  expect(shown(watch)).toEqual([undefined, null])
})

test('shows the last workspace and the problem while reads fail', () => {
  const watch = new WorkspaceWatch('c')
  const stop = watch.listen(() => {})
  send({ ok: true, value: workspace('mia') })
  send({ ok: false, problem: problemOf('console-unreachable') })
  expect([watch.seen.workspace?.claim?.holderName, watch.seen.problem?.kind]).toEqual(['mia', 'console-unreachable'])
  send({ ok: false, problem: problemOf('service', { status: 503 }) })
  expect(shown(watch)).toEqual(['mia', 503])
  send({ ok: true, value: workspace('mia') })
  expect(shown(watch)).toEqual(['mia', null])
  stop()
})

test('refreshes the topic on demand', () => {
  const watch = new WorkspaceWatch('c')
  const stop = watch.listen(() => {})
  watch.refresh()
  expect(stream.refreshes).toBe(1)
  stop()
})
