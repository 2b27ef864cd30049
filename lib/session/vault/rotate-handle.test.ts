import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { dropEndedSessions } from '#lib/session/live-sessions.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { configureForTest, freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { ACCESS_TOKEN, openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { findSession } from './session-table.ts'
import { openSession, rotateHandle, tokensOf } from './vault.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Rotates on a request that carries `handle`; answers the handle that the browser gets, null when it gets none. */
async function rotate(handle: string): Promise<string | null> {
  const session = await openForTest(handle)
  await rotateHandle(session)
  return Session.newHandleOf(session)
}

const handlesStored = async () => (await store()).selectFrom('session_handle').selectAll().execute()

test('opens the same session with the new handle', async () => {
  const old = await signInForTest()
  const session = await openForTest(old)
  expect(await rotateHandle(session)).toBe(true)
  const handle = Session.newHandleOf(session) ?? ''
  expect(handle).not.toBe(old)
  const again = await openForTest(handle)
  expect(again.id).toBe(session.id)
  expect(tokensOf(again, (await findSession(await store(), again.id))!)).toMatchObject({ accessToken: ACCESS_TOKEN })
  expect([again, session, await openForTest(old)].map((one) => Session.handleOf(one).isReplaced)).toEqual([
    false,
    false,
    true,
  ])
})

test('lets the old handle read for thirty seconds', async () => {
  const old = await signInForTest()
  await rotate(old)
  vi.setSystemTime(START + 29_999)
  expect(await openSession(old)).not.toBeNull()
  vi.setSystemTime(START + 30_000)
  expect(await openSession(old)).toBeNull()
  expect(await handlesStored()).toHaveLength(2)
  await dropEndedSessions()
  expect(await handlesStored()).toHaveLength(1)
})

test('gives one of several concurrent requests the new handle', async () => {
  const old = await signInForTest()
  const given = await Promise.all(Array.from({ length: 8 }, () => rotate(old)))
  const made = given.filter((handle) => handle !== null)
  expect(made).toHaveLength(1)
  vi.setSystemTime(START + 60_000)
  expect(await openSession(made[0]!)).not.toBeNull()
  expect(await rotate(made[0]!)).not.toBeNull()
})

test('wraps under the newest key version', async () => {
  const [newer = '', older = ''] = testEnvironment.SESSION_KEY!.split(',')
  configureForTest({ SESSION_KEY: older })
  const old = await signInForTest()
  const session = await openForTest(old)
  configureForTest({ SESSION_KEY: `${newer},${older}` })
  await rotateHandle(session)
  configureForTest({ SESSION_KEY: newer })
  expect(await openSession(Session.newHandleOf(session) ?? '')).not.toBeNull()
})

test('keeps the old handle when the store fails', async () => {
  const old = await signInForTest()
  const session = await openForTest(old)
  const open = peekPerProcess('store')
  putPerProcess('store', Promise.reject(new Error('the store is out')))
  try {
    expect(await rotateHandle(session)).toBe(false)
  } finally {
    putPerProcess('store', open)
  }
  expect(Session.newHandleOf(session)).toBeNull()
  expect(await openSession(old)).not.toBeNull()
})

test.each(['before', 'after', 'out'] as const)('leaves a handle that may change things: %s', async (failure) => {
  for (let [failAt, failed] = [1, true]; failed; failAt += 1) {
    const old = await signInForTest()
    const session = await openForTest(old)
    const { failing, remove } = await FailingStore.install()
    failed = await failing.live(failAt, failure, () => rotateHandle(session))
    remove()
    const current = await openForTest(Session.newHandleOf(session) ?? old)
    expect(Session.handleOf(current).isReplaced).toBe(false)
  }
})
