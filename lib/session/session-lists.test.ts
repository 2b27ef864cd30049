import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { listAllSessions, type SessionsQuery } from './session-lists.ts'

beforeEach(async () => {
  await freshConsole()
})

const person = (userId: string, displayName: string, address: string | null = null) =>
  signInForTest({ actor: `sso:${userId}`, userId, displayName, address })

const list = async (change: Partial<SessionsQuery> = {}) =>
  await listAllSessions(await store(), {
    part: '',
    order: 'person',
    descending: false,
    page: 1,
    size: 20,
    now: new Date().toISOString(),
    idleSince: new Date(Date.now() - 900_000).toISOString(),
    ...change,
  })
const names = async (change: Partial<SessionsQuery> = {}) =>
  (await list(change)).sessions.map(({ display_name }) => display_name)

test('lists signed-in people in order, without tokens', async () => {
  await person('2', 'ben', '203.0.113.9')
  await person('1', 'Ana', '203.0.113.7')
  await person('2', 'ben')
  expect(await names()).toEqual(['Ana', 'ben', 'ben'])
  expect(await names({ descending: true })).toEqual(['ben', 'ben', 'Ana'])
  const { sessions, total } = await list({ order: 'address' })
  expect(sessions.map(({ address }) => address)).toEqual(['203.0.113.7', '203.0.113.9', null])
  expect([total, sessions.map(({ of_person }) => of_person)]).toEqual([3, [1, 2, 2]])
  expect(Object.keys(sessions[0] ?? {})).not.toContain('box')
})

test('one that is past a limit is not listed, though nobody has ended it yet', async () => {
  await person('1', 'ana')
  await person('2', 'ben')
  const db = await store()
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
  await db
    .updateTable('session')
    .set({ last_active_at: ago(1_000_000) })
    .where('user_id', '=', '1')
    .execute()
  expect(await names()).toEqual(['ben'])
  await db
    .updateTable('session')
    .set({ ends_at: ago(1) })
    .execute()
  expect(await list()).toEqual({ sessions: [], total: 0 })
})

test('finds sessions by part of name, user id or address', async () => {
  await person('id-1', 'Ana_Alvarez', '203.0.113.7')
  await person('id-2', 'AnaXAlvarez', '203.0.113.70')
  await person('id-3', 'ben', '198.51.100.1')
  expect(await names({ part: 'ana_' })).toEqual(['Ana_Alvarez'])
  expect(await names({ part: '%' })).toEqual([])
  expect(await names({ part: 'ID-3' })).toEqual(['ben'])
  expect(await names({ part: '203.0.113' })).toEqual(['Ana_Alvarez', 'AnaXAlvarez'])
  expect(await names({ part: "' OR 1=1 --" })).toEqual([])
  const pages = await Promise.all([1, 2, 3].map((page) => names({ page, size: 1 })))
  expect(pages.flat()).toEqual(['Ana_Alvarez', 'AnaXAlvarez', 'ben'])
})
