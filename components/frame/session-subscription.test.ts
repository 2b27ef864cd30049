import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  announceSessionBack,
  announceSessionOver,
  hasSessionEnded,
  onSessionBack,
} from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import { subscribeToSession } from './session-subscription.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const back = vi.fn()
let stop = () => {}
/** The console's answer; null while it does not answer. */
let session: SessionState | null
let reads: number
let states: string[]
/** Pushes a state of the session. */
let push: (state: SessionState) => void

const living = (actor: string): SessionState => ({
  signedIn: true,
  actor,
  msLeft: 600_000,
  endsBy: 'idle',
  msSinceActive: 0,
  build: 'one',
})
const OVER: SessionState = { signedIn: false }
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function subscribe(read = async () => session) {
  const counted = () => {
    reads += 1
    return read()
  }
  const onState = (state: SessionState) => states.push(state.signedIn ? state.actor : 'over')
  const listen = (onPush: (state: SessionState) => void) => {
    push = onPush
    return () => {}
  }
  const subscription = subscribeToSession({ owner: 'sso:1', listen, read: counted, onState })
  stop = subscription.stop
  return subscription
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  page.visibilityState = 'visible'
  session = living('sso:1')
  reads = 0
  states = []
  back.mockClear()
  onSessionBack(back)
})
afterEach(() => {
  stop()
  announceSessionBack()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('announces the end of a session and its return once', async () => {
  subscribe()
  push(OVER)
  expect([states.at(-1), hasSessionEnded()]).toEqual(['over', true])
  push(living('sso:1'))
  expect([states.at(-1), back.mock.calls.length, hasSessionEnded()]).toEqual(['sso:1', 1, false])
  push(living('sso:1'))
  await wait(60_000)
  expect([back.mock.calls.length, reads]).toEqual([1, 0])
})

test('announces a return after a 401 between two reads', async () => {
  subscribe()
  await wait(10_000)
  announceSessionOver()
  await wait(0)
  expect(states).not.toContain('over')
  expect(back).toHaveBeenCalledTimes(1)
})

test('pauses between reads when requests are always refused', async () => {
  subscribe()
  onSessionBack(announceSessionOver)
  await wait(10_000)
  const before = reads
  announceSessionOver()
  await wait(30_000)
  expect(reads - before).toBeLessThanOrEqual(12)
})

test('a sign-in of another person is no return', async () => {
  subscribe()
  push(OVER)
  push(living('sso:2'))
  expect(states.at(-1)).toBe('sso:2')
  expect(back).not.toHaveBeenCalled()
})

test('a console that does not answer ends nothing', async () => {
  const subscription = subscribe()
  session = null
  expect(await subscription.refresh()).toBe(false)
  expect(states).toEqual([])
  session = OVER
  expect(await subscription.refresh()).toBe(true)
  expect(states).toEqual(['over'])
})

test('a hidden page reads once it is visible', async () => {
  subscribe()
  page.visibilityState = 'hidden'
  await wait(3_000)
  announceSessionOver()
  await wait(60_000)
  expect(reads).toBe(0)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await wait(0)
  expect([reads, back.mock.calls.length]).toEqual([1, 1])
})

test('ignores an answer to an older read', async () => {
  const late = Promise.withResolvers<SessionState | null>()
  const answers = [late.promise, Promise.resolve(living('sso:1'))]
  const subscription = subscribe(() => answers.shift() ?? Promise.resolve(null))
  const first = subscription.refresh()
  await subscription.refresh()
  late.resolve(OVER)
  await first
  expect(states).toEqual(['sso:1'])
})

test('a push outdates an earlier read', async () => {
  const late = Promise.withResolvers<SessionState | null>()
  const asking = subscribe(() => late.promise).refresh()
  push(OVER)
  late.resolve(living('sso:1'))
  await asking
  expect(states).toEqual(['over'])
})
