import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  announceSessionBack,
  announceSessionOver,
  hasSessionEnded,
  onSessionBack,
} from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import { followSession } from './follow-session.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const back = vi.fn()
let stop = () => {}
/** What the console says of the session; null while it does not answer. */
let session: SessionState | null
let asked: number
let heard: string[]
/** What the console tells by itself. */
let tell: (state: SessionState) => void

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

function follow(ask = async () => session) {
  const counted = () => {
    asked += 1
    return ask()
  }
  const onState = (state: SessionState) => heard.push(state.signedIn ? state.actor : 'over')
  const hear = (told: (state: SessionState) => void) => {
    tell = told
    return () => {}
  }
  const followed = followSession({ owner: 'sso:1', hear, ask: counted, onState })
  stop = followed.stop
  return followed
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  page.visibilityState = 'visible'
  session = living('sso:1')
  asked = 0
  heard = []
  back.mockClear()
  onSessionBack(back)
})
afterEach(() => {
  stop()
  announceSessionBack()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a session that ended is told, and that it is back, once; nothing is asked for it', async () => {
  follow()
  tell(OVER)
  expect([heard.at(-1), hasSessionEnded()]).toEqual(['over', true])
  tell(living('sso:1'))
  expect([heard.at(-1), back.mock.calls.length, hasSessionEnded()]).toEqual(['sso:1', 1, false])
  tell(living('sso:1'))
  await wait(60_000)
  expect([back.mock.calls.length, asked]).toEqual([1, 0])
})

test('a session that ended and came back between two questions is told as back, because something was refused', async () => {
  follow()
  await wait(10_000)
  announceSessionOver()
  await wait(0)
  expect(heard).not.toContain('over')
  expect(back).toHaveBeenCalledTimes(1)
})

test('what is refused although there is a session has no question asked without a pause', async () => {
  follow()
  onSessionBack(announceSessionOver)
  await wait(10_000)
  const before = asked
  announceSessionOver()
  await wait(30_000)
  expect(asked - before).toBeLessThanOrEqual(12)
})

test('somebody else who signs in is no session that is back', async () => {
  follow()
  tell(OVER)
  tell(living('sso:2'))
  expect(heard.at(-1)).toBe('sso:2')
  expect(back).not.toHaveBeenCalled()
})

test('a console that does not answer ends nothing; asking at once tells that it did not answer', async () => {
  const followed = follow()
  session = null
  expect(await followed.look()).toBe(false)
  expect(heard).toEqual([])
  session = OVER
  expect(await followed.look()).toBe(true)
  expect(heard).toEqual(['over'])
})

test('asks nothing while hidden, and at once when seen', async () => {
  follow()
  page.visibilityState = 'hidden'
  await wait(3_000)
  announceSessionOver()
  await wait(60_000)
  expect(asked).toBe(0)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await wait(0)
  expect([asked, back.mock.calls.length]).toEqual([1, 1])
})

test('an answer that comes after a newer question is not heard', async () => {
  const late = Promise.withResolvers<SessionState | null>()
  const answers = [late.promise, Promise.resolve(living('sso:1'))]
  const followed = follow(() => answers.shift() ?? Promise.resolve(null))
  const first = followed.look()
  await followed.look()
  late.resolve(OVER)
  await first
  expect(heard).toEqual(['sso:1'])
})

test('what is told is newer than the answer to a question that was asked before', async () => {
  const late = Promise.withResolvers<SessionState | null>()
  const asking = follow(() => late.promise).look()
  tell(OVER)
  late.resolve(living('sso:1'))
  await asking
  expect(heard).toEqual(['over'])
})
