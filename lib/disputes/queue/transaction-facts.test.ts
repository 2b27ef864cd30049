import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addLiveSession, removeLiveSession } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { ACCESS_TOKEN, openForTest, REFRESH_TOKEN, signInForTest } from '#lib/testing/test-sessions.ts'
import type { TransactionFact } from './queue.ts'
import { comingFacts, factsAtHand, onFacts } from './transaction-facts.ts'

const transaction = (referenceId: string, state: string) =>
  ok({
    transactionId: '00000000-0000-4000-8000-0000000000aa',
    referenceId,
    fromAccountId: '00000000-0000-4000-8000-000000000011',
    toAccountId: '00000000-0000-4000-8000-000000000012',
    credit: '20.00000000',
    debit: '20.50000000',
    transactionType: 'P2P',
    state,
    chainReferenceId: '',
    txContractAddress: '',
    txContractVersion: '',
    createdAt: '2026-07-01T10:00:00.1234567Z',
    settledAt: null,
    note: '',
    failReason: '',
  })

const path = (reference: string): string => `GET /api/v1/Transaction/${reference}`

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})

afterAll(async () => {
  await service.stop()
})

beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  const [receivedAt, endsAt] = [0, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string]
  const tokens = { accessToken: ACCESS_TOKEN, refreshToken: REFRESH_TOKEN, receivedAt, endsAt }
  session = await openForTest(await signInForTest({ tokens }))
})

afterEach(() => {
  vi.useRealTimers()
})

/** What comes with a page, once all of it is here. */
async function transactionFacts(of: Session, references: readonly string[]) {
  const facts = await Promise.all(
    Object.entries(comingFacts(of, references)).map(async ([reference, fact]) => [reference, await fact] as const),
  )
  return Object.fromEntries<TransactionFact>(facts)
}

const row = (reference: string, status = 'OPEN') => ({ reference, status })

test('each transaction is told as it could be read', async () => {
  service.on(path('r1'), transaction('r1', 'DISPUTED'))
  service.on(path('r2'), refused(404, 'unknown'))
  service.on(path('r3'), refused(403, 'core::authorization::scope'))
  service.on(path('r4'), ok({ referenceId: 'r4' }))
  expect(await transactionFacts(session, ['r1', 'r2', 'r3', 'r4'])).toEqual({
    r1: { kind: 'read', debit: '20.50000000', state: 'DISPUTED', readAt: expect.any(Number) },
    r2: { kind: 'not-visible', readAt: expect.any(Number) },
    r3: { kind: 'forbidden', scope: 'core:transactions:read', readAt: expect.any(Number) },
    r4: { kind: 'unread' },
  })
})

test('each is asked for once, by however many, and at most four at a time', async () => {
  const references = Array.from({ length: 20 }, (_, at) => `r${at}`)
  for (const reference of references) service.on(path(reference), transaction(reference, 'DISPUTED'))
  let [asking, most] = [0, 0]
  // Sessions of earlier tests may still look after changes of theirs.
  const paths = new Set(references.map(path))
  service.before = async (what) => {
    if (!paths.has(what)) return
    asking += 1
    most = Math.max(most, asking)
    // The first four wait for each other; a moment later a fifth would be seen.
    await eventually(() => expect(most).toBeGreaterThanOrEqual(4))
    await wait(10)
    asking -= 1
  }
  const [one, other] = await Promise.all([transactionFacts(session, references), transactionFacts(session, references)])
  expect(Object.keys(one)).toEqual(references)
  expect(other).toEqual(one)
  expect(service.arrived.filter(({ what }) => paths.has(what))).toHaveLength(20)
  expect(most).toBe(4)
})

test('a disputed one is read again after a minute, a final one after ten, one that failed soon', async () => {
  service.on(path('r1'), transaction('r1', 'DISPUTED'))
  service.on(path('r2'), transaction('r2', 'PROCESSED'))
  service.on(path('r3'), ok({}))
  const all = ['r1', 'r2', 'r3']
  const arrived = () => all.map((reference) => service.of(path(reference)).length)
  await transactionFacts(session, all)
  const began = Date.now()
  const expectAfter = async (ms: number, counts: readonly number[]) => {
    vi.useFakeTimers({ toFake: ['Date'], now: began + ms })
    await transactionFacts(session, all)
    expect(arrived()).toEqual(counts)
  }
  await expectAfter(3_000, [1, 1, 1])
  await expectAfter(8_000, [1, 1, 2])
  await expectAfter(62_000, [2, 1, 3])
  await expectAfter(602_000, [3, 2, 4])
})

test('reads one that is not permitted once', async () => {
  service.on(path('r1'), refused(403, 'core::authorization::scope'))
  await transactionFacts(session, ['r1'])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  const facts = factsAtHand(session, [row('r1')])
  expect(facts).toMatchObject({ r1: { kind: 'forbidden' } })
  expect(await transactionFacts(session, ['r1'])).toEqual(facts)
  expect(service.of(path('r1'))).toHaveLength(1)
})

test('what a session read is forgotten with it', async () => {
  service.on(path('r1'), transaction('r1', 'PROCESSED'))
  await transactionFacts(session, ['r1'])
  removeLiveSession(session.id)
  addLiveSession(session)
  await transactionFacts(session, ['r1'])
  expect(service.of(path('r1'))).toHaveLength(2)
})

test('an ended session reads no more transactions', async () => {
  const references = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']
  for (const reference of references) service.on(path(reference), transaction(reference, 'PROCESSED'))
  const reading = transactionFacts(session, references)
  removeLiveSession(session.id)
  await reading
  expect(service.of(path('r5'))).toEqual([])
})

test('a page waits for nothing that is known, and those who follow are told when the rest has come', async () => {
  for (const reference of ['r1', 'r2']) service.on(path(reference), transaction(reference, 'DISPUTED'))
  await transactionFacts(session, ['r1'])
  const told = vi.fn()
  const stop = onFacts(session, told)
  expect(comingFacts(session, ['r1', 'r2'])).toEqual({
    r1: expect.objectContaining({ kind: 'read' }),
    r2: expect.any(Promise),
  })
  expect(factsAtHand(session, [row('r1'), row('r2')])).not.toHaveProperty('r2')
  await eventually(() => expect(told).toHaveBeenCalledTimes(1))
  expect(factsAtHand(session, [row('r1'), row('r2')])).toMatchObject({ r2: { kind: 'read', state: 'DISPUTED' } })
  expect(service.of(path('r2'))).toHaveLength(1)
  stop()
})

test('reads a followed transaction again only when it must', async () => {
  service.on(path('r1'), transaction('r1', 'DISPUTED'))
  service.on(path('r2'), ok({}))
  const rows = [row('r1'), row('r2')]
  await transactionFacts(session, ['r1', 'r2'])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
  service.on(path('r2'), transaction('r2', 'PROCESSED'))
  expect(factsAtHand(session, rows)).toMatchObject({ r2: { kind: 'unread' } })
  await eventually(() => expect(factsAtHand(session, rows)).toMatchObject({ r2: { kind: 'read' } }))
  expect(service.of(path('r1'))).toHaveLength(1)
  service.on(path('r1'), refused(500, 'down'))
  factsAtHand(session, [row('r1', 'RESOLVED')])
  await eventually(() => expect(service.of(path('r1')).length).toBeGreaterThan(1))
  await comingFacts(session, ['r1']).r1
  const before = service.of(path('r1')).length
  expect(factsAtHand(session, [row('r1', 'RESOLVED')])).toMatchObject({ r1: { kind: 'read', state: 'DISPUTED' } })
  // It failed just now: nobody who looks asks for it again at once, so another one is read meanwhile.
  service.on(path('r3'), transaction('r3', 'PROCESSED'))
  await transactionFacts(session, ['r3'])
  expect(service.of(path('r1'))).toHaveLength(before)
})
