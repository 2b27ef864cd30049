import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { dropEndedSessions, liveSessions, onSessionEnded } from './live-sessions.ts'
import { deleteSession } from './vault/session-table.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')
const MINUTE = 60_000

let stop: () => void
const heard = vi.fn()

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
  await dropEndedSessions()
  heard.mockClear()
  stop = onSessionEnded(heard)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const open = async () => (await openForTest(await signInForTest())).id

/** Another process ends sessions in the store alone: this one is not told. */
const endElsewhere = async (id: string) => deleteSession(await store(), id, 'signed-out')

test('what another process ended is let go of here, and told of once; the rest lives on', async () => {
  const [ended, living] = [await open(), await open()]
  await endElsewhere(ended)
  expect(liveSessions().has(ended)).toBe(true)
  await dropEndedSessions()
  await dropEndedSessions()
  expect([...liveSessions().keys()]).toEqual([living])
  expect(heard.mock.calls.map(([id]) => id)).toEqual([ended])
})

test('a session past its idle limit ends though nobody asks for it', async () => {
  const id = await open()
  vi.setSystemTime(START + 15 * MINUTE - 1)
  await dropEndedSessions()
  expect(liveSessions().has(id)).toBe(true)
  vi.setSystemTime(START + 15 * MINUTE)
  await dropEndedSessions()
  expect(liveSessions().has(id)).toBe(false)
  expect(heard.mock.calls.map(([ended]) => ended)).toEqual([id])
  expect(await (await store()).selectFrom('session').selectAll().execute()).toEqual([])
})

test('a session past its absolute end ends, however lately it was active', async () => {
  const id = await open()
  vi.setSystemTime(START + 12 * 60 * MINUTE)
  await (await store()).updateTable('session').set({ last_active_at: new Date().toISOString() }).execute()
  await dropEndedSessions()
  expect(liveSessions().has(id)).toBe(false)
  expect(await (await store()).selectFrom('session').selectAll().execute()).toEqual([])
})

test('a session that begins while the query runs is not taken for one that is over', async () => {
  const looking = dropEndedSessions()
  const id = await open()
  await looking
  expect(liveSessions().has(id)).toBe(true)
  expect(heard).not.toHaveBeenCalled()
})

test('whoever stops listening hears no more', async () => {
  const id = await open()
  stop()
  await endElsewhere(id)
  await dropEndedSessions()
  expect(heard).not.toHaveBeenCalled()
})
