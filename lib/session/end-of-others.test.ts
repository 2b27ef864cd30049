import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { endSessionsOf, endSessionsOfOther } from './end-session.ts'
import { splitHandle } from './vault/handle-table.ts'
import { isEndedByAdmin } from './vault/session-table.ts'
import { openSession } from './vault/vault.ts'

const ADMIN = { actor: 'sso:admin', displayName: 'admin@example.com', method: 'sso' } as const
const REASON = 'A laptop was lost'

beforeEach(async () => {
  await freshConsole()
})

const signIn = (userId: string) => signInForTest({ actor: `sso:${userId}`, userId, displayName: userId })
const idOf = async (handle: string) => (await openForTest(handle)).id
const lives = async (handle: string) => (await openSession(handle)) !== null
const toldSo = async (handle: string) => isEndedByAdmin(await store(), splitHandle(handle)?.idHash ?? '')
const end = (of: { session: string } | { userId: string }, except = 'another') =>
  endSessionsOfOther({ by: ADMIN, except, of, reason: REASON })

const trail = async () => {
  const found = await (await store()).selectFrom('audit_entry').selectAll().orderBy('kind').execute()
  return found
    .filter(({ kind }) => kind !== 'session.sign-in')
    .map(({ kind, actor, about, facts }) => ({ kind, actor, about, ...(JSON.parse(facts) as object) }))
}

test('ends one session, and records who did it and why', async () => {
  const [one, other, somebody] = [await signIn('ana'), await signIn('ana'), await signIn('ben')]
  expect(await end({ session: await idOf(one) })).toBe(1)
  expect(await Promise.all([one, other, somebody].map(lives))).toEqual([false, true, true])
  expect(await trail()).toEqual([
    expect.objectContaining({ kind: 'session.end', actor: 'sso:ana', why: 'ended-by-admin' }),
    {
      ...{ kind: 'session.end-of-other', actor: 'sso:admin', about: 'ana', person: 'ana', userId: 'ana' },
      ...{ sessions: 1, reason: REASON },
    },
  ])
})

test('all sessions of a person end, but never the one that asks', async () => {
  const [asking, one, other] = [await signIn('ana'), await signIn('ana'), await signIn('ben')]
  const third = await signIn('ana')
  expect(await end({ userId: 'ana' }, await idOf(asking))).toBe(2)
  expect(await Promise.all([asking, one, third, other].map(lives))).toEqual([true, false, false, true])
  expect(await end({ session: await idOf(asking) }, await idOf(asking))).toBe(0)
  expect(await lives(asking)).toBe(true)
  expect(await trail()).toHaveLength(3)
})

test('ends a session once for two concurrent requests', async () => {
  const id = await idOf(await signIn('ana'))
  const ended = await Promise.all(Array.from({ length: 6 }, () => end({ session: id })))
  expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await end({ session: id })).toBe(0)
  expect((await trail()).filter(({ kind }) => kind === 'session.end-of-other')).toHaveLength(1)
})

test('an id that is no session, or nobody’s, ends nothing and leaves no entry', async () => {
  const handle = await signIn('ana')
  for (const of of [{ session: 'none' }, { userId: 'nobody' }, { userId: '%' }, { session: "' OR 1=1 --" }]) {
    expect(await end(of)).toBe(0)
  }
  expect([await lives(handle), await trail()]).toEqual([true, []])
})

test('the browser whose session an administrator ended is told so, and no other', async () => {
  const [ended, own, living] = [await signIn('ana'), await signIn('ben'), await signIn('cleo')]
  await end({ session: await idOf(ended) })
  await endSessionsOf('sso:ben', 'ended-by-owner')
  expect(await Promise.all([ended, own, living].map(toldSo))).toEqual([true, false, false])
})

test('nothing of where a session came from is left when it has ended', async () => {
  const handle = await signInForTest({ address: '203.0.113.7', userId: 'ana' })
  await end({ session: await idOf(handle) })
  const db = await store()
  const left = await Promise.all([
    db.selectFrom('session').selectAll().execute(),
    db.selectFrom('audit_entry').selectAll().execute(),
    db.selectFrom('ended_handle').selectAll().execute(),
  ])
  expect(JSON.stringify(left)).not.toContain('203.0.113.7')
})
