import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import { WorkspacePoll, type WorkspaceReply } from './workspace-poll.ts'

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

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
let answers: (WorkspaceReply | null)[]
let asked: number

const newPoll = () =>
  new WorkspacePoll(async () => {
    asked += 1
    const answer = answers.shift()
    return answer === undefined ? { ok: true, workspace: workspace('mia') } : answer
  })

const shown = (poll: WorkspacePoll) => [poll.seen.workspace?.claim?.holderName, poll.seen.problem?.status ?? null]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  page.visibilityState = 'visible'
  asked = 0
  answers = []
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('asks once for all who listen, at once and every five seconds, until the last one stops', async () => {
  const poll = newPoll()
  const publish = vi.fn()
  const stops = [poll.listen(publish), poll.listen(() => {})]
  await wait(0)
  expect([asked, shown(poll)]).toEqual([1, ['mia', null]])
  await wait(15_000)
  expect(asked).toBe(4)
  // The same answer again tells nobody anything.
  expect(publish).toHaveBeenCalledTimes(1)
  stops[0]?.()
  await wait(5_000)
  expect(asked).toBe(5)
  stops[1]?.()
  await wait(60_000)
  expect(asked).toBe(5)
  // Nothing of it is left for whoever comes next.
  expect(shown(poll)).toEqual([undefined, null])
})

test('rests while the page is hidden, and asks as soon as it is seen again', async () => {
  const poll = newPoll()
  const stop = poll.listen(() => {})
  await wait(0)
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  await wait(60_000)
  expect(asked).toBe(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await wait(0)
  expect(asked).toBe(2)
  stop()
})

test('what was known stays when a reading fails, and says so; the next success mends it', async () => {
  const poll = newPoll()
  const stop = poll.listen(() => {})
  await wait(0)
  answers = [null, { ok: false, problem: problemOf('service', { status: 503 }) }]
  await wait(5_000)
  expect([poll.seen.workspace?.claim?.holderName, poll.seen.problem?.kind]).toEqual(['mia', 'console-unreachable'])
  await wait(5_000)
  expect(shown(poll)).toEqual(['mia', 503])
  await wait(5_000)
  expect(shown(poll)).toEqual(['mia', null])
  stop()
})

test('a refusal is not asked about again by itself', async () => {
  answers = [{ ok: false, problem: problemOf('service', { status: 403 }) }]
  const poll = newPoll()
  const stop = poll.listen(() => {})
  await wait(60_000)
  expect([asked, shown(poll)]).toEqual([1, [undefined, 403]])
  poll.refresh()
  await wait(0)
  expect([asked, shown(poll)]).toEqual([2, ['mia', null]])
  stop()
})

test('a refusal for want of a session is asked about again as soon as the session is back', async () => {
  answers = [{ ok: false, problem: problemOf('session-over', { status: 401 }) }]
  const poll = newPoll()
  const stop = poll.listen(() => {})
  await wait(60_000)
  expect([asked, shown(poll)]).toEqual([1, [undefined, 401]])
  announceSessionBack()
  await wait(0)
  expect([asked, shown(poll)]).toEqual([2, ['mia', null]])
  stop()
})

test('an answer that comes after a newer question is not heard', async () => {
  const late = Promise.withResolvers<WorkspaceReply>()
  const replies = [late.promise, Promise.resolve<WorkspaceReply>({ ok: true, workspace: workspace('leo') })]
  const poll = new WorkspacePoll(() => replies.shift() ?? Promise.resolve(null))
  const stop = poll.listen(() => {})
  poll.refresh()
  await wait(0)
  late.resolve({ ok: true, workspace: workspace('mia') })
  await wait(0)
  expect(poll.seen.workspace?.claim?.holderName).toBe('leo')
  stop()
})
