import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { recordActivity } from './limits.ts'
import { endSessionOfPerson, sessionsOfPerson } from './session-lists.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.parse('2026-11-20T08:00:00.000Z')

const at = (afterStart: number) => vi.setSystemTime(START + afterStart)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

const rows = async () => (await store()).selectFrom('session').selectAll().execute()

describe('idle', () => {
  test('fifteen minutes without activity end a session, and its row goes', async () => {
    const handle = await signInForTest()
    at(15 * MINUTE - 1)
    expect(await openSession(handle)).not.toBeNull()
    at(15 * MINUTE)
    expect(await openSession(handle)).toBeNull()
    expect(await rows()).toEqual([])
  })

  test('opening a session, as every page, poll and stream does, is no activity', async () => {
    const handle = await signInForTest()
    for (let minute = 1; minute < 15; minute += 1) {
      at(minute * MINUTE)
      expect(await openSession(handle)).not.toBeNull()
    }
    at(15 * MINUTE)
    expect(await openSession(handle)).toBeNull()
  })

  test('activity counts anew from its own time, and never backwards', async () => {
    const handle = await signInForTest()
    at(14 * MINUTE)
    const session = await openForTest(handle)
    expect(await recordActivity(session)).toBe(new Date(START + 14 * MINUTE).toISOString())
    // A clock of another process that is behind.
    at(5 * MINUTE)
    await recordActivity(session)
    at(29 * MINUTE - 1)
    expect(await openSession(handle)).not.toBeNull()
    at(29 * MINUTE)
    expect(await openSession(handle)).toBeNull()
  })

  test('a shorter limit counts', async () => {
    await freshConsole({ SESSION_IDLE_MINUTES: '3' })
    const handle = await signInForTest()
    at(3 * MINUTE)
    expect(await openSession(handle)).toBeNull()
  })
})

describe('absolute', () => {
  test.each([
    ['12', 12 * HOUR],
    ['2', 2 * HOUR],
  ])('%s hours end a session however active it is', async (hours, end) => {
    await freshConsole({ SESSION_MAX_HOURS: hours })
    const handle = await signInForTest()
    for (let now = 10 * MINUTE; now < end; now += 10 * MINUTE) {
      at(now)
      await recordActivity(await openForTest(handle))
    }
    at(end - 1)
    expect(await openSession(handle)).not.toBeNull()
    at(end)
    expect(await openSession(handle)).toBeNull()
    expect(await rows()).toEqual([])
  })
})

test('fewer hours end sessions that began before', async () => {
  const handle = await signInForTest()
  configureForTest({ SESSION_MAX_HOURS: '1' })
  for (let now = 0; now < HOUR; now += 10 * MINUTE) {
    at(now)
    await recordActivity(await openForTest(handle))
  }
  at(HOUR)
  expect(await openSession(handle)).toBeNull()
})

describe('five sessions', () => {
  test('a sixth sign-in ends the least recently active, and nobody else’s', async () => {
    const theirs = await signInForTest({ actor: 'sso:2' })
    const handles: string[] = []
    for (let minute = 1; minute <= 5; minute += 1) {
      at(minute * MINUTE)
      handles.push(await signInForTest())
    }
    at(6 * MINUTE)
    await recordActivity(await openForTest(handles[0]!))
    at(7 * MINUTE)
    handles.push(await signInForTest())
    const open = await Promise.all([...handles, theirs].map(async (handle) => (await openSession(handle)) !== null))
    expect(open).toEqual([true, false, true, true, true, true, true])
  })

  test('ten sign-ins at once leave five', async () => {
    await Promise.all(Array.from({ length: 10 }, () => signInForTest()))
    expect(await rows()).toHaveLength(5)
  })
})

test('one’s own sessions are listed with the one that asks first, and none that is over', async () => {
  const handles = [await signInForTest({ userAgent: 'x'.repeat(5000) })]
  at(10 * MINUTE)
  handles.push(await signInForTest({ userAgent: 'second', method: 'password' }))
  at(12 * MINUTE)
  await signInForTest({ actor: 'sso:2' })
  await recordActivity(await openForTest(handles[1]!))
  const asking = await openForTest(handles[0]!)
  expect(await sessionsOfPerson(asking)).toMatchObject([
    { id: asking.id, current: true, userAgent: 'x'.repeat(300), lastActiveAt: new Date(START).toISOString() },
    { current: false, userAgent: 'second', method: 'password', startedAt: new Date(START + 10 * MINUTE).toISOString() },
  ])
  at(15 * MINUTE)
  expect(await sessionsOfPerson(asking)).toHaveLength(1)
})

test('ends a session for its own person alone', async () => {
  const [mine, other] = [await signInForTest(), await signInForTest()]
  const stranger = await openForTest(await signInForTest({ actor: 'sso:2' }))
  const { id } = await openForTest(other)
  await endSessionOfPerson(stranger, id)
  expect(await openSession(other)).not.toBeNull()
  await endSessionOfPerson(await openForTest(mine), id)
  expect(await openSession(other)).toBeNull()
})
