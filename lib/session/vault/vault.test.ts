import { inspect } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { endSession } from '#lib/session/end-session.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { inAnotherBundle } from '#lib/testing/another-bundle.ts'
import { configureForTest, freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { ACCESS_TOKEN, openForTest, REFRESH_TOKEN, signInForTest } from '#lib/testing/test-sessions.ts'
import { newHandle, splitHandle } from './handle-table.ts'
import { findSession } from './session-table.ts'
import { openSession, tokensOf } from './vault.ts'

beforeEach(async () => {
  await freshConsole()
})

const dump = async (): Promise<string> => {
  const db = await store()
  return JSON.stringify([
    await db.selectFrom('session').selectAll().execute(),
    await db.selectFrom('session_handle').selectAll().execute(),
  ])
}

test('a handle is 86 characters, opens its session, and gives back the tokens', async () => {
  const handle = await signInForTest()
  expect(handle).toMatch(/^[\w-]{86}$/)
  const session = (await openSession(handle))!
  const row = (await findSession(await store(), session.id))!
  expect(session).toMatchObject({ actor: 'sso:1', displayName: 'operator@example.com', userId: '1', method: 'sso' })
  expect(tokensOf(session, row)).toMatchObject({ accessToken: ACCESS_TOKEN, refreshToken: REFRESH_TOKEN })
})

test('neither tokens nor the handle, nor half of it, stand in the store', async () => {
  const handle = await signInForTest()
  const stored = await dump()
  const bytes = Buffer.from(handle, 'base64url')
  const halves = [bytes.subarray(0, 32), bytes.subarray(32)]
  for (const secret of [
    ACCESS_TOKEN,
    REFRESH_TOKEN,
    handle,
    ...halves.flatMap((half) => [half.toString('hex'), half.toString('base64url')]),
  ]) {
    expect(stored).not.toContain(secret)
  }
})

test('lets nobody administer by what the store says alone', async () => {
  configureForTest({ STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  const [admin, other] = [await signInForTest({ administers: true }), await signInForTest()]
  const { id } = await openForTest(admin)
  const { admin_rule } = (await findSession(await store(), id))!
  for (const rule of ['claim groups=console-admins', admin_rule]) {
    await (await store()).updateTable('session').set({ admin_rule: rule }).where('id', '<>', id).execute()
    expect([await openForTest(admin), await openForTest(other)]).toMatchObject([
      { adminByClaim: true },
      { adminByClaim: false },
    ])
  }
})

test('a session that is logged, serialised or spread shows no key', async () => {
  const session = (await openSession(await signInForTest()))!
  for (const shown of [
    JSON.stringify(session),
    inspect(session, { showHidden: true }),
    JSON.stringify({ ...session }),
  ]) {
    expect(shown).not.toMatch(/dataKey|Buffer|canary/i)
  }
})

test('code of another bundle opens the tokens of a session, too', async () => {
  const other = await inAnotherBundle<typeof import('#lib/session/session.ts')>('lib/session/session.ts')
  const session = (await openSession(await signInForTest()))!
  expect(session).not.toBeInstanceOf(other.Session)
  expect(other.Session.dataKeyOf(session)).toEqual(Session.dataKeyOf(session))
})

test('the id half alone, another secret half, and anything that is no handle open nothing', async () => {
  const handle = await signInForTest()
  const forged = Buffer.concat([
    Buffer.from(handle, 'base64url').subarray(0, 32),
    Buffer.from(newHandle(), 'base64url').subarray(32),
  ]).toString('base64url')
  for (const other of [forged, newHandle(), '', 'x', handle.slice(1), `${handle}x`]) {
    expect(await openSession(other)).toBeNull()
  }
  expect(splitHandle('../etc/passwd')).toBeNull()
})

test('an older key version opens, is wrapped anew under the newest, and is needed no more', async () => {
  const [newer = '', older = ''] = testEnvironment.SESSION_KEY!.split(',')
  configureForTest({ SESSION_KEY: older })
  const [opened, unopened] = [await signInForTest(), await signInForTest()]
  configureForTest({ SESSION_KEY: `${newer},${older}` })
  expect(await openSession(opened)).not.toBeNull()

  configureForTest({ SESSION_KEY: newer })
  const session = await openForTest(opened)
  expect(tokensOf(session, (await findSession(await store(), session.id))!)).toMatchObject({
    accessToken: ACCESS_TOKEN,
  })
  expect(await openSession(unopened)).toBeNull()
})

test('a key version that is known but not the newest seals nothing', async () => {
  const [newer = '', older = ''] = testEnvironment.SESSION_KEY!.split(',')
  configureForTest({ SESSION_KEY: `${older},${newer}` })
  const handle = await signInForTest()
  configureForTest({ SESSION_KEY: older })
  expect(await openSession(handle)).not.toBeNull()
})

test('an ended session and one past its absolute end do not open', async () => {
  const handle = await signInForTest()
  await endSession((await openSession(handle))!.id, 'signed-out')
  expect(await openSession(handle)).toBeNull()

  const old = await signInForTest()
  await (await store())
    .updateTable('session')
    .set({ ends_at: new Date(Date.now() - 1).toISOString() })
    .execute()
  expect(await openSession(old)).toBeNull()
  expect(await dump()).toBe('[[],[]]')
})
