import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeLiveSession } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import {
  ANA,
  caseOf,
  FIRST_PAGE,
  freshQueue,
  idOf,
  letPass,
  list,
  ME,
  nextCase,
  queueOfList,
  signedIn,
} from '#lib/testing/listed-cases.ts'
import { ok, refused, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { cachedProbe, probeCaseList } from './case-list-probe.ts'
import { sweepsNow } from './case-sweeps.ts'
import { caseOf as caseOfTransaction, earlierCasesWith } from './find-cases.ts'
import { everyOpenCase } from './queue.ts'
import { nextUnassigned, openCountAtHand, queueFor } from './queue-view.ts'

let service: ScriptedService
let session: Session

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
})

afterEach(() => {
  vi.useRealTimers()
})

test('all who ask at once share one reading, and it serves for thirty seconds', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)))
  await Promise.all([
    queueOfList(session, 'OPEN'),
    queueOfList(session, 'OPEN'),
    nextUnassigned(session, everyOpenCase),
  ])
  letPass(20_000)
  await queueOfList(session, 'OPEN')
  expect(service.of(FIRST_PAGE)).toHaveLength(1)
  letPass(31_000)
  await queueOfList(session, 'OPEN')
  expect(service.of(FIRST_PAGE)).toHaveLength(2)
})

test('another session reads for itself: what is visible differs from person to person', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)))
  const other = await signedIn('sso:other', ANA)
  expect((await queueOfList(session, 'OPEN')).adminView).toBe('proved')
  expect((await queueOfList(other, 'OPEN')).adminView).toBe('not-proved')
  expect(service.of(FIRST_PAGE)).toHaveLength(2)
})

test('a session that ended leaves nothing behind', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)))
  await probeCaseList(session)
  expect(await openCountAtHand(session)).toBe(1)
  removeLiveSession(session.id)
  expect(cachedProbe(session)).toBeNull()
  await probeCaseList(session)
  expect(cachedProbe(session)).toBeNull()
})

test('a list that cannot be read anew stays as it was, with the reason, for five minutes', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)), refused(500, 'down'))
  const { completeAt } = (await queueOfList(session, 'OPEN')).index
  letPass(31_000)
  const kept = await queueOfList(session, 'OPEN')
  expect(kept).toMatchObject({ index: { completeAt, shortfall: 'problem', problem: { status: 500 } }, total: 1 })
  expect(kept.rows).toHaveLength(1)
  letPass(301_000)
  const old = await queueOfList(session, 'OPEN')
  expect(old).toMatchObject({
    ...{ adminView: 'not-proved', rows: [], open: { notKnown: expect.stringContaining('could not be read') } },
    index: { completeAt: null, shortfall: 'problem' },
  })
  expect(await openCountAtHand(session)).toEqual({ notKnown: expect.stringContaining('could not be read') })
})

test('an empty queue of an admin is proved by resolved cases of others; nobody else’s is', async () => {
  const own = caseOf(1, { status: 'RESOLVED', raisedByUserId: ME.toUpperCase() })
  service.on(FIRST_PAGE, list(own, caseOf(2, { status: 'RESOLVED' })))
  expect(await queueOfList(session, 'OPEN')).toMatchObject({
    rows: [],
    adminView: 'proved',
    index: { shortfall: null },
  })
  service.on(FIRST_PAGE, list(own))
  const viewer = await signedIn('sso:me')
  expect(await queueOfList(viewer, 'OPEN')).toMatchObject({
    rows: [],
    adminView: 'not-proved',
    index: { shortfall: null },
  })
  expect([await openCountAtHand(session), await openCountAtHand(viewer)]).toEqual([0, null])
})

test('a session without proof never sees the index, whoever has filled it', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2)))
  await queueOfList(session, 'OPEN')
  const ANAS = caseOf(1)
  service.on(FIRST_PAGE, list(ANAS))
  const party = await signedIn('sso:ana', ANA)
  service.on(`GET /api/v1/Users/${ANA}/scopes`, ok({ userId: ANA, roles: [], scopes: ['disputes:resolve'] }))
  const own = { rows: [{ id: idOf(1), claim: 'hidden' }], total: 1, open: null, adminView: 'not-proved' }
  expect(await queueOfList(party, 'ALL')).toMatchObject({ ...own, counts: { claims: null } })
  expect(await queueFor(party, everyOpenCase, { around: idOf(2) })).toMatchObject(own)
  expect(await nextCase(party)).toBeNull()
  expect(await openCountAtHand(party)).toBeNull()
  expect(await earlierCasesWith(party, ANA, idOf(9))).toEqual({ notKnown: 'Your admin view is not confirmed.' })
  expect(await caseOfTransaction(party, 'reference 2')).toMatchObject({ kind: 'not-known' })
  expect(await caseOfTransaction(party, 'reference 1')).toEqual({ kind: 'case', caseId: idOf(1) })
})

test('a proof outlives an outage of the service; a refusal ends it at once', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)), refused(500, 'down'), refused(403, 'core::scope'))
  await queueOfList(session, 'OPEN')
  letPass(31_000)
  expect(await queueOfList(session, 'OPEN')).toMatchObject({ adminView: 'proved', total: 1 })
  expect(await queueOfList(session, 'OPEN')).toMatchObject({ adminView: 'not-proved', rows: [], total: 0 })
})

test('completes the index after the store failed during a read', async () => {
  let told = false
  for (let statement = 1; !told; statement += 1) {
    ;({ service, session } = await freshQueue())
    service.on(FIRST_PAGE, list(caseOf(1)))
    const { failing, remove } = await FailingStore.install()
    await failing.live(statement, 'before', async () => {
      told = await probeCaseList(session).then(
        () => true,
        () => false,
      )
    })
    remove()
    await probeCaseList(session)
    // Once the sweep has begun, its lease runs out first.
    if (!told) expect((await sweepsNow()).completeAt, `statement ${statement}`).not.toBeNull()
    else expect(statement).toBeGreaterThan(2)
  }
})
