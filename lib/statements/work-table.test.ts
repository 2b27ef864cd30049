import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteSession } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import {
  beginWork,
  claimAbandonedLookup,
  endWork,
  findAbandonedLookups,
  findWork,
  forEveryone,
  releaseWork,
  tickWork,
} from './work.ts'

/** Processes before one store. */
const ONE = { token: 'of one', boot: 'one', alone: false }
const OTHER = { token: 'of the other', boot: 'other', alone: false }
const THIRD = { token: 'of a third', boot: 'third', alone: false }

let session: string

beforeEach(async () => {
  await freshConsole()
  session = (await openForTest(await signInForTest())).id
  await sql`
    INSERT INTO statement (id, owner, owner_name, file_name, digest, format, taken_at, left_out)
    VALUES ('s', 'sso:1', 'mia', 'July.csv', 's', 'csv', '2026-01-01', 0)`.execute(await store())
  const look = { session, scope: 'all' } as const
  expect(await beginWork(await store(), 's', { ...ONE, work: 'look', by: 'mia', total: 9, look })).toBe(1)
})

const cutOff = async (process = OTHER) => findAbandonedLookups(await store(), process)
const taken = async (process: typeof ONE) => {
  const [look] = await cutOff(process)
  return look !== undefined && (await claimAbandonedLookup(await store(), look, process))
}
const isAlive = async () => (await findWork(await store(), 's', OTHER))?.alive
const leaseEndsAgo = async (seconds: number) =>
  sql`UPDATE statement SET work_until = extract(epoch FROM clock_timestamp()) - ${seconds}::integer`.execute(
    await store(),
  )

test('looking up is nobody else’s until its lease is over; a tick keeps it', async () => {
  expect(await taken(OTHER)).toBe(false)
  await leaseEndsAgo(1)
  expect(await tickWork(await store(), 's', ONE.token, 3)).toBe('goes on')
  expect(await taken(OTHER)).toBe(false)
  await leaseEndsAgo(1)
  expect(await cutOff()).toMatchObject([{ session, scope: 'all', done: 3, total: 9, run: 1, sessionLives: true }])
  expect(await taken(OTHER)).toBe(true)
  expect(await tickWork(await store(), 's', ONE.token, 4)).toBe('lost')
})

test('of those who would take it up one wins, also where its holder comes to life again', async () => {
  await leaseEndsAgo(1)
  const [look] = await cutOff()
  const db = await store()
  const took = await Promise.all([OTHER, THIRD].map((process) => claimAbandonedLookup(db, look!, process)))
  expect(took.filter(Boolean)).toHaveLength(1)
  await leaseEndsAgo(1)
  const [again] = await cutOff()
  await tickWork(db, 's', again!.token, 5)
  expect(await claimAbandonedLookup(db, again!, THIRD)).toBe(false)
})

test('ended work keeps its token, and nobody holds it', async () => {
  const db = await store()
  await endWork(db, 's', ONE.token, { ended: 'so', done: 3, wantsCode: false })
  expect(await tickWork(db, 's', ONE.token, 4)).toBe('lost')
  await endWork(db, 's', ONE.token, { ended: 'again', done: 5, wantsCode: false })
  expect(await findWork(db, 's', ONE)).toMatchObject({ work_token: ONE.token, work_ended: 'so', work_done: 3 })
})

test('a process that gives it up before its end is waited for no longer', async () => {
  await releaseWork(await store(), 's', ONE.token, 4)
  expect(await isAlive()).toBe(true)
  expect(await taken(OTHER)).toBe(true)
})

test('without another process before the store, one of before a restart holds nothing', async () => {
  expect(await taken({ ...OTHER, alone: true })).toBe(true)
})

test('it reads as going on for the moment in which it is taken up, and no longer', async () => {
  await leaseEndsAgo(1)
  expect(await isAlive()).toBe(true)
  await leaseEndsAgo(10)
  expect(await isAlive()).toBe(false)
})

test('a session that has ended is told; what has ended, and a confirmation, is never found', async () => {
  const db = await store()
  await leaseEndsAgo(1)
  await deleteSession(db, session, 'signed-out')
  expect(await cutOff()).toMatchObject([{ sessionLives: false }])
  await endWork(db, 's', ONE.token, { ended: 'so', done: 3, wantsCode: false })
  expect(await cutOff()).toEqual([])
  await beginWork(db, 's', { ...ONE, work: 'confirm', by: 'mia', total: 9, look: null })
  await leaseEndsAgo(10)
  expect(await cutOff()).toEqual([])
  expect(await isAlive()).toBe(false)
})

test.each([
  ['You Li requested it', 'You Li requested it'],
  ['Jin You, jin.you and anna-you requested it', 'Jin You, jin.you and anna-you requested it'],
  ['you-jin@bank.example and you@bank.example did', 'you-jin@bank.example and you@bank.example did'],
  [
    'You requested it. Your passkey is needed: you are asked',
    'Bo requested it. the passkey of Bo is needed: Bo is asked',
  ],
])('writes %j for everyone', (words, written) => {
  expect(forEveryone(words, { displayName: 'Bo' })).toBe(written)
})
