import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { HANDLE_COOKIE } from '#lib/session/cookie.ts'
import { noticeEnds } from '#lib/session/watch-ends.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest, freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { ACCESS_TOKEN, openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { rotateHandle } from './rotate-handle.ts'
import { findSession } from './session-table.ts'
import { openSession, tokensOf } from './vault.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A browser's jar, as a route handler sees it. */
function jarWith(handle: string) {
  const set = vi.fn()
  return { get: (name: string) => (name === HANDLE_COOKIE ? { value: handle } : undefined), set }
}

/** Rotates on a request that carries `handle`; answers the handle that the browser gets, null when it gets none. */
async function rotate(handle: string): Promise<string | null> {
  const jar = jarWith(handle)
  await rotateHandle(await openForTest(handle), jar)
  return (jar.set.mock.calls[0]?.[1] as string | undefined) ?? null
}

const handlesStored = async () => (await store()).selectFrom('session_handle').selectAll().execute()

test('the new handle opens the same session with the same tokens, for as long as the session lasts', async () => {
  const old = await signInForTest()
  const session = await openForTest(old)
  const jar = jarWith(old)
  await rotateHandle(session, jar)
  const [name, handle, options] = jar.set.mock.calls[0] as [string, string, object]
  expect(name).toBe(HANDLE_COOKIE)
  expect(options).toEqual({
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'strict',
    expires: new Date(session.endsAt),
  })
  expect(handle).not.toBe(old)
  const again = await openForTest(handle)
  expect(again.id).toBe(session.id)
  expect(tokensOf(again, (await findSession(await store(), again.id))!)).toMatchObject({ accessToken: ACCESS_TOKEN })
})

test('the old handle answers for thirty seconds more, and then is nowhere', async () => {
  const old = await signInForTest()
  await rotate(old)
  vi.setSystemTime(START + 29_999)
  expect(await openSession(old)).not.toBeNull()
  vi.setSystemTime(START + 30_000)
  expect(await openSession(old)).toBeNull()
  expect(await handlesStored()).toHaveLength(2)
  await noticeEnds()
  expect(await handlesStored()).toHaveLength(1)
})

test('of requests that ask at once with one handle, one gets a new handle; that one stays', async () => {
  const old = await signInForTest()
  const given = await Promise.all(Array.from({ length: 8 }, () => rotate(old)))
  const made = given.filter((handle) => handle !== null)
  expect(made).toHaveLength(1)
  vi.setSystemTime(START + 60_000)
  expect(await openSession(made[0]!)).not.toBeNull()
  expect(await rotate(made[0]!)).not.toBeNull()
})

test('a new handle is made under the newest key version', async () => {
  const [newer = '', older = ''] = testEnvironment.SESSION_KEY!.split(',')
  configureForTest({ SESSION_KEY: older })
  const old = await signInForTest()
  const session = await openForTest(old)
  configureForTest({ SESSION_KEY: `${newer},${older}` })
  const jar = jarWith(old)
  await rotateHandle(session, jar)
  configureForTest({ SESSION_KEY: newer })
  expect(await openSession(jar.set.mock.calls[0]![1] as string)).not.toBeNull()
})

test('when the store fails the old handle stays, and nothing is thrown', async () => {
  const old = await signInForTest()
  const session = await openForTest(old)
  const jar = jarWith(old)
  const open = peekPerProcess('store')
  putPerProcess('store', Promise.reject(new Error('the store is out')))
  try {
    await rotateHandle(session, jar)
  } finally {
    putPerProcess('store', open)
  }
  expect(jar.set).not.toHaveBeenCalled()
  expect(await openSession(old)).not.toBeNull()
})
