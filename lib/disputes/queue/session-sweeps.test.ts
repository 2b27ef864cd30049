import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { dropLive } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { caseOf as caseOfTransaction } from './case-of.ts'
import { earlierCasesWith } from './earlier-cases.ts'
import { oldestUnassigned, openCountAtHand, queueFor, queuePage } from './queue-view.ts'
import { noteCase, sweptAtHand, sweptFor } from './session-sweeps.ts'

const ME = '00000000-0000-4000-8000-000000000003'
const ANA = '00000000-0000-4000-8000-000000000011'
const BEN = '00000000-0000-4000-8000-000000000012'
const OPEN = 'GET /api/v1/Dispute?all=true&status=OPEN&page=1&pageSize=100'
const RESOLVED = 'GET /api/v1/Dispute?all=true&status=RESOLVED&page=1&pageSize=100'

const idOf = (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const caseOf = (number: number, change: Partial<ThreadCase> = {}): ThreadCase => ({
  id: idOf(number),
  referenceId: `reference ${number}`,
  raisedByUserId: ANA,
  counterpartyUserId: BEN,
  status: 'OPEN',
  reason: 'The goods never came.',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  createdAt: `2026-07-01T10:00:00.${String(number).padStart(7, '0')}Z`,
  resolvedAt: null,
  ...change,
})

const list = (...cases: readonly unknown[]) => ok({ cases, totalCount: cases.length })

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
  session = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
  service.on(RESOLVED, list())
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:resolve'] }))
})

afterEach(() => {
  vi.useRealTimers()
})

/** Lets the clock alone go on. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

test('all who ask at once share one reading, and it serves for thirty seconds', async () => {
  service.on(OPEN, list(caseOf(1)))
  await Promise.all([queueFor(session, 'OPEN'), queueFor(session, 'OPEN'), oldestUnassigned(session)])
  later(29_000)
  await queueFor(session, 'OPEN')
  expect(service.of(OPEN)).toHaveLength(1)
  later(31_000)
  await queueFor(session, 'OPEN')
  expect(service.of(OPEN)).toHaveLength(2)
})

test('another session reads for itself: what is visible differs from person to person', async () => {
  service.on(OPEN, list(caseOf(1)))
  const other = await openForTest(await signInForTest({ actor: 'sso:other', userId: ANA }))
  expect((await queueFor(session, 'OPEN')).adminView).toBe('proved')
  expect((await queueFor(other, 'OPEN')).adminView).toBe('not-proved')
  expect(service.of(OPEN)).toHaveLength(2)
})

test('a session that ended leaves nothing behind', async () => {
  service.on(OPEN, list(caseOf(1)))
  await sweptFor(session, 'OPEN')
  expect(openCountAtHand(session)).toBe(1)
  dropLive(session.id)
  expect(sweptAtHand(session, 'OPEN')).toBeNull()
  await sweptFor(session, 'OPEN')
  expect(sweptAtHand(session, 'OPEN')).toBeNull()
})

test('a list that cannot be read anew stays as it was, with the reason, for five minutes', async () => {
  service.on(OPEN, list(caseOf(1)), refused(500, 'down'))
  const { completeAt } = await queueFor(session, 'OPEN')
  later(31_000)
  const kept = await queueFor(session, 'OPEN')
  expect(kept).toMatchObject({ completeAt, shortfall: 'problem', problem: { status: 500 }, total: 1 })
  expect(kept.rows).toHaveLength(1)
  later(301_000)
  expect(await queueFor(session, 'OPEN')).toMatchObject({ completeAt: null, rows: [], shortfall: 'problem' })
  expect(openCountAtHand(session)).toEqual({ notKnown: expect.stringContaining('could not be read') })
})

test('cases come oldest first, open ones alone, with who has them', async () => {
  const [mine, others] = [caseOf(3), caseOf(2)]
  service.on(OPEN, list(mine, others, caseOf(1), caseOf(4, { status: 'RESOLVED' }), { id: 'no case' }))
  await claimedBy('sso:me', mine.id)
  await claimedBy('sso:other', others.id)
  const view = await queueFor(session, 'OPEN')
  expect(view.rows.map(({ id, claim }) => [id, claim === null || claim === 'hidden' ? claim : claim.mine])).toEqual([
    [idOf(1), null],
    [idOf(2), false],
    [idOf(3), true],
  ])
  expect(view).toMatchObject({ unreadable: 1, total: 4, shortfall: null })
  expect((await oldestUnassigned(session))?.id).toBe(idOf(1))
})

test('the assignee is hidden from a party of the case, and from a person who may not work on cases', async () => {
  service.on(OPEN, list(caseOf(1, { counterpartyUserId: ME.toUpperCase() }), caseOf(2)))
  for (const number of [1, 2]) await claimedBy('sso:other', idOf(number))
  const claims = async (of: Session) => (await queueFor(of, 'OPEN')).rows.map(({ claim }) => claim)
  expect(await claims(session)).toEqual(['hidden', { name: 'sso:other@example.com', mine: false }])
  service.on(OPEN, list(caseOf(1, { counterpartyUserId: ME })))
  const party = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
  expect(await claims(party)).toEqual(['hidden'])
  expect(await oldestUnassigned(party)).toBeNull()
  service.on(OPEN, list(caseOf(2)))
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:read'] }))
  const reader = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
  expect(await claims(reader)).toEqual(['hidden'])
  expect((await queueFor(reader, 'OPEN')).adminView).toBe('proved')
  expect(await earlierCasesWith(reader, ANA, idOf(1))).toEqual({ notKnown: expect.stringContaining('needs the scope') })
})

test('the oldest unassigned case is none that has an assignee, or of which the person is a party', async () => {
  service.on(OPEN, list(caseOf(1, { counterpartyUserId: ME }), caseOf(2), caseOf(3)))
  await claimedBy('sso:other', idOf(2))
  expect((await oldestUnassigned(session))?.id).toBe(idOf(3))
  service.on(OPEN, refused(500, 'down'))
  const other = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
  expect(await oldestUnassigned(other)).toBeNull()
})

test('a case that was read by itself since is what it was read as, and it has no assignee once it is resolved', async () => {
  service.on(OPEN, list(caseOf(1), caseOf(2)))
  await claimedBy('sso:me', idOf(1))
  await queueFor(session, 'OPEN')
  await noteCase(session, caseOf(1, { status: 'RESOLVED', resolutionOutcome: 'REFUNDED' }))
  expect((await queueFor(session, 'OPEN')).rows.map(({ id }) => id)).toEqual([idOf(2)])
  expect(openCountAtHand(session)).toBe(1)
  service.on('GET /api/v1/Dispute?all=true&page=1&pageSize=100', list(caseOf(1, { status: 'RESOLVED' })))
  expect((await queueFor(session, 'ALL')).rows).toMatchObject([{ status: 'RESOLVED', claim: null }])
})

test('an empty queue of an admin is proved by resolved cases of others; nobody else’s is', async () => {
  service.on(OPEN, list())
  const own = caseOf(1, { status: 'RESOLVED', raisedByUserId: ME.toUpperCase() })
  service.on(RESOLVED, list(own, caseOf(2, { status: 'RESOLVED' })))
  expect(await queueFor(session, 'OPEN')).toMatchObject({ rows: [], adminView: 'proved', shortfall: null })
  service.on(RESOLVED, list(own))
  const viewer = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
  expect(await queueFor(viewer, 'OPEN')).toMatchObject({ rows: [], adminView: 'not-proved', shortfall: null })
  expect([openCountAtHand(session), openCountAtHand(viewer)]).toEqual([0, null])
})

test('a page of the service comes as the service cut it, unreadable rows in their places', async () => {
  const asked = 'GET /api/v1/Dispute?all=true&status=OPEN&page=3&pageSize=20'
  service.on(asked, ok({ cases: [caseOf(2), { id: 'no case' }, caseOf(1)], totalCount: 5_000 }))
  await claimedBy('sso:other', idOf(1))
  const page = await queuePage(session, 'OPEN', { page: 3, pageSize: 20 })
  expect(page).toMatchObject({
    ok: true,
    value: {
      rows: [
        { readable: true, value: { id: idOf(2), claim: null } },
        { readable: false },
        { readable: true, value: { id: idOf(1), claim: { mine: false } } },
      ],
      total: 5_000,
    },
  })
})

test('earlier cases of a party are told to whoever sees everybody’s, and to nobody else', async () => {
  const resolved = caseOf(2, {
    status: 'RESOLVED',
    resolutionOutcome: 'REFUNDED',
    raisedByUserId: BEN,
    counterpartyUserId: ANA,
  })
  service.on(OPEN, list(caseOf(1), caseOf(3)))
  await queueFor(session, 'OPEN')
  await noteCase(session, resolved)
  expect(await earlierCasesWith(session, ANA, idOf(1))).toMatchObject({
    counts: expect.arrayContaining([
      { status: 'OPEN', outcome: null, count: 1 },
      { status: 'RESOLVED', outcome: 'REFUNDED', count: 1 },
    ]),
    cases: [
      { id: idOf(3), role: 'raised-by', status: 'OPEN', outcome: null },
      { id: idOf(2), role: 'against', status: 'RESOLVED', outcome: 'REFUNDED' },
    ],
  })
  service.on(OPEN, list())
  const viewer = await openForTest(await signInForTest({ actor: 'sso:v', userId: ME }))
  expect(await earlierCasesWith(viewer, ANA, idOf(1))).toEqual({ notKnown: 'Your admin view is not proved.' })
  service.on(OPEN, refused(500, 'down'))
  const later = await openForTest(await signInForTest({ actor: 'sso:w', userId: ME }))
  // A list that could not be read is no word about anybody's admin view.
  expect(await earlierCasesWith(later, ANA, idOf(1))).toEqual({
    notKnown: expect.stringContaining('The list could not be read to its end'),
  })
})

test('whether a transaction has a case is told of a whole list that an admin sees, else why it is not known', async () => {
  const ALL = 'GET /api/v1/Dispute?all=true&page=1&pageSize=100'
  const asked = async (...answers: Parameters<typeof service.on> extends [string, ...infer Rest] ? Rest : never) => {
    session = await openForTest(await signInForTest({ actor: 'sso:me', userId: ME }))
    service.on(ALL, ...answers)
    return await caseOfTransaction(session, 'reference 7')
  }
  expect(await asked(list(caseOf(1)))).toEqual({ kind: 'none' })
  expect(await asked(list(caseOf(7)))).toEqual({ kind: 'case', caseId: idOf(7) })
  expect(await asked(refused(500, 'core::fault'))).toMatchObject({
    kind: 'not-known',
    why: expect.stringContaining('could not be read to its end'),
    again: true,
  })
  expect(await asked(list(caseOf(1), { id: 7 }))).toMatchObject({
    kind: 'not-known',
    why: 'Some of the cases cannot be read.',
  })
  expect(await asked(list(caseOf(1, { raisedByUserId: ME })))).toMatchObject({ kind: 'not-known', again: false })
})
