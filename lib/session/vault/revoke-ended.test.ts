import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { endSession, endSessionsByIdpSid, endSessionsOf, endSessionsOfOther } from '#lib/session/end-session.ts'
import { dropEndedSessions, liveSessions, removeLiveSession } from '#lib/session/live-sessions.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, REFRESH_TOKEN, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { revokeAtEnds, revokeEnded, revokeLater } from './revoke-ended.ts'
import { deleteSession } from './session-table.ts'
import { openSession } from './vault.ts'

let provider: TokenEndpoint
let stop: () => void

beforeAll(async () => {
  provider = await TokenEndpoint.start()
})
afterAll(() => provider.stop())
beforeEach(async () => {
  provider.reset()
  await freshConsole({ OIDC_ISSUER: provider.issuer })
  // Other files of this worker leave sessions, whose tokens the first look would revoke as well.
  for (const id of [...liveSessions().keys()]) removeLiveSession(id)
  stop = revokeAtEnds()
})
afterEach(() => stop())

const kept = async () => await (await store()).selectFrom('ended_token').selectAll().execute()
const givenBack = () => expect.poll(() => provider.revoked).toEqual([REFRESH_TOKEN])

const BY = { actor: 'sso:9', displayName: 'admin@example.com', method: 'sso' } as const

test.each<readonly [string, (session: Session) => Promise<unknown>]>([
  ['its idle limit', ({ id }) => endSession(id, 'idle')],
  ['its person, from the list', ({ actor }) => endSessionsOf(actor, 'ended-by-owner')],
  ['the provider', () => endSessionsByIdpSid('sid', 'back-channel')],
  [
    'an administrator',
    ({ id }) => endSessionsOfOther({ by: BY, except: 'another', of: { session: id }, reason: 'lost' }),
  ],
  ['another process', async ({ id }) => await deleteSession(await store(), id, 'signed-out').then(dropEndedSessions)],
])('a session that is ended by %s has its refresh token revoked, once', async (_by, end) => {
  const session = await openForTest(await signInForTest({ idpSid: 'sid' }))
  await end(session)
  await givenBack()
  await dropEndedSessions()
  expect(await revokeEnded(session.id, Session.dataKeyOf(session))).toBe('answered')
  expect([provider.revoked.length, await kept()]).toEqual([1, []])
})

test.each([
  { actor: 'sso:2' },
  { user_id: '2' },
  { display_name: 'admin@example.com' },
  { method: 'password' } as const,
])('ends a session whose person was changed in the store: %o', async (change) => {
  const handle = await signInForTest()
  const session = await openForTest(handle)
  await (await store()).updateTable('session').set(change).execute()
  expect(await openSession(handle)).toBeNull()
  expect(await (await store()).selectFrom('session').select('id').execute()).toEqual([])
  await revokeEnded(session.id, Session.dataKeyOf(session))
  expect(await kept()).toEqual([])
})

test('ends a session whose person cannot be proved any more', async () => {
  const handle = await signInForTest()
  await (await store()).updateTable('session').set({ actor: 'sso:2', box: 'not a box' }).execute()
  expect(await openSession(handle)).toBeNull()
})

test('a sixth sign-in revokes the token of the session whose place it takes', async () => {
  for (let n = 0; n < 5; n += 1) await openForTest(await signInForTest())
  expect(provider.revoked).toEqual([])
  await signInForTest()
  await givenBack()
})

test('revokes the token of an ended session it never opened', async () => {
  const handle = await signInForTest()
  const past = new Date(Date.now() - 1).toISOString()
  await (await store()).updateTable('session').set({ ends_at: past }).execute()
  expect(await openSession(handle)).toBeNull()
  await givenBack()
})

test.each(['before', 'after', 'out'] as const)('revokes a token although the store fails: %s', async (failure) => {
  for (let [failAt, failed] = [1, true]; failed; failAt += 1) {
    const session = await openForTest(await signInForTest())
    await deleteSession(await store(), session.id, 'idle')
    provider.reset()
    const { failing, remove } = await FailingStore.install()
    failed = await failing.live(failAt, failure, () => revokeEnded(session.id, Session.dataKeyOf(session)))
    remove()
    expect(provider.revoked).toEqual([REFRESH_TOKEN])
  }
})

test('of two processes one alone revokes a token', async () => {
  const session = await openForTest(await signInForTest())
  await endSession(session.id, 'idle')
  await givenBack()
  // As another process, which remembers nothing of this one.
  putPerProcess('tokens revoked', undefined)
  expect(await revokeEnded(session.id, Session.dataKeyOf(session))).toBe('nothing')
  expect(provider.revoked).toHaveLength(1)
})

test('keeps the token of a session that was signed in again', async () => {
  provider.revocationStatus = 503
  const session = await openForTest(await signInForTest({ idpSid: 'sid' }))
  await endSession(session.id, 'idle')
  await givenBack()
  await signInForTest({ idpSid: 'sid' })
  await revokeLater(REFRESH_TOKEN, 'sid', [1, 1])
  expect(provider.revoked).toHaveLength(1)
  const older = await openForTest(await signInForTest({ idpSid: 'sid' }))
  await endSession(older.id, 'idle')
  expect(await revokeEnded(older.id, Session.dataKeyOf(older))).toBe('nothing')
  expect(provider.revoked).toHaveLength(1)
})

test('revokes later when the store could not be read', async () => {
  const { failing, remove } = await FailingStore.install()
  await failing.live(1, 'before', () => revokeLater(REFRESH_TOKEN, 'sid', [1, 1]))
  remove()
  expect(provider.revoked).toEqual([REFRESH_TOKEN])
})

test('a password session has no provider that revokes a token, and none is kept', async () => {
  const session = await openForTest(await signInForTest({ method: 'password', admittedBy: 'scopes' }))
  await endSession(session.id, 'idle')
  expect(await kept()).toEqual([])
  expect(await revokeEnded(session.id, Session.dataKeyOf(session))).toBe('nothing')
  expect(provider.revoked).toEqual([])
})

test('a token that nobody can open is kept sealed for ten minutes, and then erased', async () => {
  const handle = await signInForTest()
  const db = await store()
  await db.deleteFrom('session').execute()
  expect(JSON.stringify(await kept())).not.toContain(REFRESH_TOKEN)
  expect(await openSession(handle)).toBeNull()
  await dropEndedSessions()
  expect(await kept()).toHaveLength(1)
  const until = Date.parse((await kept())[0]?.kept_until ?? '')
  expect(Math.abs(until - Date.now() - 600_000)).toBeLessThan(60_000)
  await db
    .updateTable('ended_token')
    .set({ kept_until: new Date(Date.now() - 1).toISOString() })
    .execute()
  await dropEndedSessions()
  expect(await kept()).toEqual([])
})

test.each([500, 503, 429])(
  'a provider that answers %i is asked again, and the session is over all the same',
  async (status) => {
    provider.revocationStatus = status
    const session = await openForTest(await signInForTest())
    await endSession(session.id, 'idle')
    expect(await revokeEnded(session.id, Session.dataKeyOf(session))).toBe('unreachable')
    const later = revokeLater(REFRESH_TOKEN, null, [1, 1, 1, 1])
    await expect.poll(() => provider.revoked.length).toBeGreaterThan(2)
    provider.revocationStatus = 200
    await later
    expect(provider.revoked.length).toBeLessThanOrEqual(5)
  },
)

test('a provider that stays out is asked five times at most', async () => {
  provider.revocationStatus = 503
  await revokeLater(REFRESH_TOKEN, null, [1, 1, 1, 1])
  expect(provider.revoked).toHaveLength(4)
})
