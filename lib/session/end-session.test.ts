import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSession } from '#lib/session/vault/vault.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { endSession, endSessionsByIdpSid, endSessionsByIdpSubject, endSessionsOf } from './end-session.ts'
import { liveSessions, onSessionEnded } from './live-sessions.ts'

const stops: (() => void)[] = []

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function listen() {
  const heard = vi.fn()
  stops.push(onSessionEnded(heard))
  return heard
}

const opens = async (handles: readonly string[]): Promise<readonly boolean[]> =>
  await Promise.all(handles.map(async (handle) => (await openSession(handle)) !== null))

test('an ended session does not open, is let go of, and is told of once', async () => {
  const heard = listen()
  const handle = await signInForTest()
  const { id } = await openForTest(handle)
  expect(liveSessions().has(id)).toBe(true)
  await endSession(id, 'signed-out')
  await endSession(id, 'signed-out')
  expect(await openSession(handle)).toBeNull()
  expect(liveSessions().has(id)).toBe(false)
  expect(heard.mock.calls.map(([ended]) => ended)).toEqual([id])
})

test('a listener that fails keeps nobody else from hearing', async () => {
  stops.push(
    onSessionEnded(() => {
      throw new Error('a stream that is gone')
    }),
  )
  const heard = listen()
  const { id } = await openForTest(await signInForTest())
  await endSession(id, 'signed-out')
  expect(heard.mock.calls.map(([ended]) => ended)).toEqual([id])
})

test('all sessions of a person end, but the one to leave, and nobody else’s', async () => {
  const mine = [await signInForTest(), await signInForTest(), await signInForTest()]
  const theirs = await signInForTest({ actor: 'sso:2' })
  await endSessionsOf('sso:1', 'ended-by-owner', (await openForTest(mine[1]!)).id)
  expect(await opens([...mine, theirs])).toEqual([false, true, false, true])
  await endSessionsOf('sso:1', 'ended-by-owner')
  expect(await opens([...mine, theirs])).toEqual([false, false, false, true])
})

test('the identity provider ends by its session, or by its subject', async () => {
  const handles = [
    await signInForTest({ idpSid: 'a', idpSubject: '1' }),
    await signInForTest({ idpSid: 'b', idpSubject: '1' }),
    await signInForTest({ idpSid: null, idpSubject: '1' }),
    await signInForTest({ actor: 'sso:2', idpSid: 'c', idpSubject: '2' }),
    await signInForTest({ actor: 'password:x' }),
  ]
  await endSessionsByIdpSid('a', 'back-channel')
  expect(await opens(handles)).toEqual([false, true, true, true, true])
  await endSessionsByIdpSubject('1', 'back-channel')
  expect(await opens(handles)).toEqual([false, false, false, true, true])
})
