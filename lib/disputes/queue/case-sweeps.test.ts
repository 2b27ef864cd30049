import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  caseOf,
  freshQueue,
  idOf,
  letPass,
  list,
  ME,
  pageOf,
  queueOfList,
  signedIn,
  swept,
  tellOf,
} from '#lib/testing/listed-cases.ts'
import { ok, refused, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { probeCaseList } from './case-list-probe.ts'
import { sweepsNow } from './case-sweeps.ts'
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

test('sweeps a long list once for all sessions', async () => {
  tellOf(service, 2_450)
  const other = await signedIn('sso:other')
  await Promise.all([queueOfList(session, 'OPEN'), queueOfList(other, 'OPEN')])
  await swept()
  expect(service.of(pageOf(1))).toHaveLength(2)
  for (let page = 2; page <= 25; page += 1) expect(service.of(pageOf(page))).toHaveLength(1)
  const view = await queueFor(other, everyOpenCase, { page: 25, size: 100 })
  expect(view).toMatchObject({ total: 2_450, listed: 2_450, open: 2_450, firstPlace: 2_401 })
  expect(view.rows.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => idOf(2_401 + at)))
  expect(await openCountAtHand(session)).toBe(2_450)
})

test('indexes a case whose reason the store cannot hold', async () => {
  const cases = [caseOf(1, { reason: 'Never\0 sent \ud800' }), caseOf(2)]
  service.on(pageOf(1), list(...cases))
  const { rows } = await queueFor(session, everyOpenCase, { page: 1, size: 100 })
  expect(rows).toMatchObject([{ id: idOf(1), reason: 'Never\ufffd sent \ufffd' }, { id: idOf(2) }])
})

test('writes only changed cases when it reads the list again', async () => {
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  const again = new Date(Date.now() + 31_000).toISOString()
  letPass(31_000)
  tellOf(service, 250, (number) => (number === 120 ? { status: 'RESOLVED', resolutionOutcome: 'RELEASED' } : {}))
  await queueOfList(session, 'OPEN')
  await swept()
  const written = (await store()).selectFrom('case_index').select(['id', 'status']).where('seen_at', '>=', again)
  expect(await written.execute()).toEqual([{ id: idOf(120), status: 'RESOLVED' }])
  expect((await queueOfList(session, 'OPEN')).total).toBe(249)
})

test('keeps the former sweep when one fails, and tries again', async () => {
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  const { index } = await queueOfList(session, 'OPEN')
  letPass(31_000)
  service.on(pageOf(2), refused(500, 'down'))
  await queueOfList(session, 'OPEN')
  await swept()
  service.on(pageOf(2), refused(500, 'down'))
  const failed = await queueOfList(session, 'OPEN')
  expect(failed).toMatchObject({
    total: 250,
    index: { completeAt: index.completeAt, shortfall: 'problem', problem: { status: 500 } },
  })
  await swept()
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  expect(await sweepsNow()).toMatchObject({ shortfall: null, problem: null })
})

test('shows a partial first sweep with its progress', async () => {
  tellOf(service, 350)
  service.on(pageOf(3), 'drop')
  await queueOfList(session, 'OPEN')
  await swept()
  const view = await queueOfList(session, 'OPEN')
  expect(view.rows.length).toBeGreaterThanOrEqual(100)
  expect(view).toMatchObject({
    adminView: 'proved',
    index: { completeAt: null },
    open: { notKnown: expect.any(String) },
  })
  expect((await nextUnassigned(session, everyOpenCase)).cases).toEqual([])
  await swept()
})

test('drops a case that a complete sweep did not meet', async () => {
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  letPass(31_000)
  tellOf(service, 250, (number) => (number === 120 ? null : {}))
  service.on(pageOf(3), refused(500, 'down'), ok({ cases: [], totalCount: 249 }))
  await queueOfList(session, 'OPEN')
  await swept()
  expect((await queueOfList(session, 'OPEN')).total).toBe(250)
  await swept()
  tellOf(service, 250, (number) => (number === 120 ? null : {}))
  await queueOfList(session, 'OPEN')
  await swept()
  const view = await queueFor(session, everyOpenCase, { page: 2, size: 100 })
  expect(view.total).toBe(249)
  expect(view.rows.map(({ id }) => id)).not.toContain(idOf(120))
})

test('reads again what a clock ahead has written', async () => {
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  const ahead = new Date(Date.now() + 3_600_000).toISOString()
  await (await store()).updateTable('case_index').set({ seen_at: ahead }).execute()
  await (await store()).updateTable('case_sweep').set({ began_at: ahead, ended_at: ahead }).execute()
  tellOf(service, 250, (number) => (number === 120 ? null : { status: number === 130 ? 'RESOLVED' : 'OPEN' }))
  putPerProcess('latest sweep', undefined)
  await queueOfList(await signedIn('sso:other'), 'OPEN')
  await swept()
  expect((await queueOfList(session, 'OPEN')).total).toBe(248)
})

test('a clock ahead elsewhere starts no sweep after sweep', async () => {
  tellOf(service, 250)
  for (const actor of ['sso:one', 'sso:two', 'sso:three']) {
    await queueOfList(await signedIn(actor), 'OPEN')
    await swept()
    const ahead = new Date(Date.now() + 40_000).toISOString()
    await (await store()).updateTable('case_sweep').set({ began_at: ahead, ended_at: ahead }).execute()
  }
  expect(service.of(pageOf(2))).toHaveLength(1)
})

test('a sweep whose session ends tells nobody else that theirs has', async () => {
  tellOf(service, 950)
  const other = await signedIn('sso:other')
  service.before = async (what) => {
    if (what === pageOf(2)) await endSession(session.id, 'signed-out')
  }
  await probeCaseList(session)
  await swept()
  expect(await sweepsNow()).toMatchObject({ completeAt: null, shortfall: 'problem', problem: null })
  service.before = async () => {}
  await queueOfList(other, 'OPEN')
  await swept()
  expect(await queueOfList(other, 'OPEN')).toMatchObject({ total: 950, index: { shortfall: null } })
})

test('who loses admin view in the middle of a sweep leaves what the index knew', async () => {
  tellOf(service, 250)
  await queueOfList(session, 'OPEN')
  await swept()
  letPass(31_000)
  const own = list(caseOf(1, { raisedByUserId: ME }))
  const all = ok({ cases: Array.from({ length: 100 }, (_, at) => caseOf(at + 1)), totalCount: 250 })
  service.on(pageOf(1), all, own)
  for (const page of [2, 3]) service.on(pageOf(page), ok({ cases: [], totalCount: 1 }))
  await queueOfList(session, 'OPEN')
  await swept()
  expect(await sweepsNow()).toMatchObject({ shortfall: 'moved' })
  const other = await signedIn('sso:other')
  service.on(pageOf(1), all)
  expect((await queueOfList(other, 'OPEN')).total).toBe(250)
})
