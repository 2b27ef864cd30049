import { inspect } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { findSession } from '#lib/store/sessions.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { newHandle, splitHandle } from './handle.ts'
import { createSession, endSession, openSession, tokensOf } from './vault.ts'

const ACCESS = 'canary-access-token'
const REFRESH = 'canary-refresh-token'

beforeEach(async () => {
  await freshConsole()
})

const signIn = () =>
  createSession({
    actor: 'sso:1',
    displayName: 'operator@example.com',
    userId: '1',
    method: 'sso',
    tokens: {
      accessToken: ACCESS,
      refreshToken: REFRESH,
      receivedAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 600_000).toISOString(),
    },
  })

const dump = async (): Promise<string> => {
  const db = await store()
  return JSON.stringify([
    await db.selectFrom('session').selectAll().execute(),
    await db.selectFrom('session_handle').selectAll().execute(),
  ])
}

test('a handle is 86 characters, opens its session, and gives back the tokens', async () => {
  const handle = await signIn()
  expect(handle).toMatch(/^[\w-]{86}$/)
  const session = (await openSession(handle))!
  const row = (await findSession(await store(), session.id))!
  expect(session).toMatchObject({ actor: 'sso:1', displayName: 'operator@example.com', userId: '1', method: 'sso' })
  expect(tokensOf(session, row)).toMatchObject({ accessToken: ACCESS, refreshToken: REFRESH })
})

test('neither tokens nor the handle, nor half of it, stand in the store', async () => {
  const handle = await signIn()
  const stored = await dump()
  const bytes = Buffer.from(handle, 'base64url')
  const halves = [bytes.subarray(0, 32), bytes.subarray(32)]
  for (const secret of [
    ACCESS,
    REFRESH,
    handle,
    ...halves.flatMap((half) => [half.toString('hex'), half.toString('base64url')]),
  ]) {
    expect(stored).not.toContain(secret)
  }
})

test('a session that is logged, serialised or spread shows no key', async () => {
  const session = (await openSession(await signIn()))!
  for (const shown of [
    JSON.stringify(session),
    inspect(session, { showHidden: true }),
    JSON.stringify({ ...session }),
  ]) {
    expect(shown).not.toMatch(/dataKey|Buffer|canary/i)
  }
})

test('the id half alone, another secret half, and anything that is no handle open nothing', async () => {
  const handle = await signIn()
  const forged = Buffer.concat([
    Buffer.from(handle, 'base64url').subarray(0, 32),
    Buffer.from(newHandle(), 'base64url').subarray(32),
  ]).toString('base64url')
  for (const other of [forged, newHandle(), '', 'x', handle.slice(1), `${handle}x`]) {
    expect(await openSession(other)).toBeNull()
  }
  expect(splitHandle('../etc/passwd')).toBeNull()
})

test('an older key version still opens; without its key nothing does', async () => {
  const [newer = '', older = ''] = (await import('#lib/testing/test-console.ts')).testEnvironment.SESSION_KEY!.split(
    ',',
  )
  configureForTest({ SESSION_KEY: older })
  const handle = await signIn()
  configureForTest({ SESSION_KEY: `${newer},${older}` })
  expect(await openSession(handle)).not.toBeNull()
  configureForTest({ SESSION_KEY: newer })
  expect(await openSession(handle)).toBeNull()
})

test('an ended session and one past its absolute end do not open', async () => {
  const handle = await signIn()
  await endSession((await openSession(handle))!)
  expect(await openSession(handle)).toBeNull()

  const old = await signIn()
  await (await store())
    .updateTable('session')
    .set({ ends_at: new Date(Date.now() - 1).toISOString() })
    .execute()
  expect(await openSession(old)).toBeNull()
  expect(await dump()).toBe('[[],[]]')
})
