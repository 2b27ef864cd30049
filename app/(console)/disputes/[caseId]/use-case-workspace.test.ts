import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import type { Told } from '#lib/news/news-event.ts'
import { WorkspaceWatch } from './use-case-workspace.ts'

const news = vi.hoisted(() => ({ tell: null as ((told: unknown) => void) | null, followed: [] as string[], again: 0 }))

vi.mock('#components/news/news.ts', () => ({
  askAgain: () => {
    news.again += 1
  },
  followTopic: (topic: string, tell: (told: unknown) => void) => {
    news.followed.push(topic)
    news.tell = tell
    return () => {
      news.tell = null
    }
  },
}))

const workspace = (holderName: string): CaseWorkspace => ({
  me: 'sso:1',
  open: true,
  mayWork: true,
  closed: false,
  snooze: null,
  claim: { caseId: 'c', holder: 'sso:2', holderName, since: '2026-11-21T09:00:00.000Z' },
  viewers: [],
  notes: [],
  earlierNotes: 0,
  people: [],
})
const tell = (told: Told<CaseWorkspace>) => news.tell?.(told)
const shown = (watch: WorkspaceWatch) => [watch.seen.workspace?.claim?.holderName, watch.seen.problem?.status ?? null]

beforeEach(() => {
  news.followed = []
  news.again = 0
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('is followed once for all who listen, until the last one stops', () => {
  const watch = new WorkspaceWatch('c')
  const publish = vi.fn()
  const stops = [watch.listen(publish), watch.listen(() => {})]
  tell({ ok: true, value: workspace('mia') })
  expect([news.followed, shown(watch), publish.mock.calls.length]).toEqual([['workspace c'], ['mia', null], 1])
  stops[0]?.()
  expect(news.tell).not.toBeNull()
  stops[1]?.()
  expect(news.tell).toBeNull()
  // Nothing of it is left for the next one who listens.
  expect(shown(watch)).toEqual([undefined, null])
})

test('what was known stays when a reading fails, and says so; the next success mends it', () => {
  const watch = new WorkspaceWatch('c')
  const stop = watch.listen(() => {})
  tell({ ok: true, value: workspace('mia') })
  tell({ ok: false, problem: problemOf('console-unreachable') })
  expect([watch.seen.workspace?.claim?.holderName, watch.seen.problem?.kind]).toEqual(['mia', 'console-unreachable'])
  tell({ ok: false, problem: problemOf('service', { status: 503 }) })
  expect(shown(watch)).toEqual(['mia', 503])
  tell({ ok: true, value: workspace('mia') })
  expect(shown(watch)).toEqual(['mia', null])
  stop()
})

test('is asked for at once on demand', () => {
  const watch = new WorkspaceWatch('c')
  const stop = watch.listen(() => {})
  watch.refresh()
  expect(news.again).toBe(1)
  stop()
})
