import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { recordThread } from '#lib/disputes/unread/thread-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import {
  ANA,
  BEN,
  caseOf,
  FIRST_PAGE,
  freshQueue,
  idOf,
  letPass,
  list,
  ME,
  nextCase,
  pageOf,
  queueOfList,
  recordCase,
  signedIn,
  swept,
  tellOf,
} from '#lib/testing/listed-cases.ts'
import { ok, refused, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { claimedBy, noted } from '#lib/testing/test-claim.ts'
import { casesWith } from './case-index.ts'
import { caseOf as caseOfTransaction, earlierCasesWith } from './find-cases.ts'
import { everyOpenCase } from './queue.ts'
import { openCountAtHand, queueFor, queuePage } from './queue-view.ts'

let service: ScriptedService
let session: Session

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
})

test('cases come oldest first, open ones alone, with who has them', async () => {
  const [mine, others] = [caseOf(3), caseOf(2)]
  service.on(FIRST_PAGE, list(mine, others, caseOf(1), caseOf(4, { status: 'RESOLVED' }), { id: 'no case' }))
  await claimedBy('sso:me', mine.id)
  await claimedBy('sso:other', others.id)
  const view = await queueOfList(session, 'OPEN')
  expect(view.rows.map(({ id, claim }) => [id, claim === null || claim === 'hidden' ? claim : claim.mine])).toEqual([
    [idOf(1), null],
    [idOf(2), false],
    [idOf(3), true],
  ])
  expect(view).toMatchObject({ unreadable: 1, unreadableHere: 1, total: 4, listed: 4, index: { shortfall: null } })
  expect(view.counts.claims).toEqual({ mine: 1, snoozed: 0, unassigned: 1, others: 1 })
  expect(await nextCase(session)).toBe(idOf(1))
})

test('hides the assignee from parties and people without scope', async () => {
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME.toUpperCase() }), caseOf(2)))
  for (const number of [1, 2]) await claimedBy('sso:other', idOf(number))
  const claims = async (of: Session) => (await queueOfList(of, 'OPEN')).rows.map(({ claim }) => claim)
  expect(await claims(session)).toEqual(['hidden', { name: 'sso:other@example.com', mine: false }])
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME })))
  const party = await signedIn('sso:me')
  expect(await claims(party)).toEqual(['hidden'])
  expect(await nextCase(party)).toBeNull()
  service.on(FIRST_PAGE, list(caseOf(2)))
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:read'] }))
  const reader = await signedIn('sso:me')
  expect(await claims(reader)).toEqual(['hidden'])
  expect((await queueOfList(reader, 'OPEN')).adminView).toBe('proved')
  expect(await earlierCasesWith(reader, ANA, idOf(1))).toMatchObject({ notKnown: expect.stringContaining('scope') })
})

test('counts turns, unread messages and colleagues for staff only', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2), caseOf(3, { counterpartyUserId: ME })))
  await claimedBy('sso:other', idOf(2))
  const message = { id: 'm1', senderUserId: ANA, isSystemMessage: false, body: 'Hello.' }
  await recordThread(idOf(2), [{ ...message, createdAt: '2026-07-01T11:00:00Z' }])
  const { counts } = await queueOfList(session, 'OPEN')
  expect(counts).toMatchObject({ turns: { us: 1, party: 0, unknown: 1 }, unread: 1 })
  expect(counts.assignees).toEqual([{ actor: 'sso:other', name: 'sso:other@example.com', count: 1, awayUntil: null }])
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME })))
  const party = await signedIn('sso:me')
  expect((await queueOfList(party, 'OPEN')).counts).toMatchObject({ turns: null, unread: null, assignees: null })
})

test('hides mentions and watches from parties and people without scope', async () => {
  const noticed = async () => {
    const db = await store()
    await noted('sso:other', idOf(1))
    await noted('sso:other', idOf(2))
    await db
      .insertInto('case_mention')
      .columns(['note_id', 'case_id', 'actor', 'name'])
      .expression(
        db.selectFrom('case_note').select(['id', 'case_id', sql.lit('sso:me').as('actor'), sql.lit('me').as('name')]),
      )
      .execute()
  }
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME }), caseOf(2)))
  await noticed()
  const view = await queueOfList(session, 'OPEN')
  expect(view.rows.map(({ notices }) => notices)).toEqual([[], ['mentioned']])
  expect(view.counts.notices).toEqual({ mentioned: 1, watching: 0 })
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:read'] }))
  const reader = await queueOfList(await signedIn('sso:me'), 'OPEN')
  expect([reader.rows.map(({ notices }) => notices), reader.counts.notices]).toEqual([[[], []], null])
})

test('reads the messages of hidden cases while a turn is chosen', async () => {
  service.on(FIRST_PAGE, list(caseOf(1)))
  const read = `GET /api/v1/Dispute/${idOf(1)}/messages?page=1&pageSize=100`
  service.on(read, ok({ messages: [], totalCount: 0 }))
  const us = { ...everyOpenCase, turn: 'us' } as const
  expect((await queueFor(session, us, { page: 1, size: 20 })).rows).toEqual([])
  await eventually(async () => {
    expect((await queueFor(session, us, { page: 1, size: 20 })).rows).toMatchObject([{ id: idOf(1) }])
  })
})

test('without admin view no case matches a turn', async () => {
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME })))
  for (const change of [{ turn: 'unknown' }, { unread: true }, { assignee: 'sso:me' }] as const) {
    expect((await queueFor(session, { ...everyOpenCase, ...change }, { page: 1, size: 20 })).rows).toEqual([])
  }
})

test('assigns next no case of an assignee or of one’s own party', async () => {
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME }), caseOf(2), caseOf(3)))
  await claimedBy('sso:other', idOf(2))
  expect(await nextCase(session)).toBe(idOf(3))
  service.on(FIRST_PAGE, refused(500, 'down'))
  const other = await signedIn('sso:me')
  expect(await nextCase(other)).toBeNull()
})

test('a read that began earlier replaces no later one', async () => {
  const messages = `GET /api/v1/Dispute/${idOf(1)}/messages?page=1&pageSize=100`
  service.on(`GET /api/v1/Dispute/${idOf(1)}`, ok({ ...caseOf(1), messages: [] }))
  service.on(messages, ok({ messages: [], totalCount: 0 }))
  service.before = async (what) => {
    if (what !== messages) return
    letPass(1_000)
    await recordCase(caseOf(1, { status: 'RESOLVED' }))
  }
  const thread = await readWholeThread(session, idOf(1))
  if (thread.ok) await recordCase(thread.value.case, thread.value.readAt)
  vi.useRealTimers()
  expect(await casesWith(await store(), ANA, { except: '', limit: 9 })).toMatchObject([{ status: 'RESOLVED' }])
})

test('prefers a later read of a case over the sweep', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2)))
  await claimedBy('sso:me', idOf(1))
  await queueOfList(session, 'OPEN')
  await recordCase(caseOf(1, { status: 'RESOLVED', resolutionOutcome: 'REFUNDED' }))
  expect((await queueOfList(session, 'OPEN')).rows.map(({ id }) => id)).toEqual([idOf(2)])
  expect(await openCountAtHand(session)).toBe(1)
  expect((await queueOfList(session, 'ALL')).rows).toMatchObject([{ status: 'RESOLVED', claim: null }, { id: idOf(2) }])
})

test('a page of the service comes as the service cut it, unreadable rows in their places', async () => {
  const request = 'GET /api/v1/Dispute?all=true&status=OPEN&page=3&pageSize=20'
  service.on(request, ok({ cases: [caseOf(2), { id: 'no case' }, caseOf(1)], totalCount: 5_000 }))
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
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(3)))
  await queueOfList(session, 'OPEN')
  await recordCase(resolved)
  expect(await earlierCasesWith(session, ANA, idOf(1))).toMatchObject({
    cases: [
      { id: idOf(3), role: 'raised-by', status: 'OPEN', outcome: null },
      { id: idOf(2), role: 'against', status: 'RESOLVED', outcome: 'REFUNDED' },
    ],
  })
  service.on(FIRST_PAGE, list())
  const viewer = await signedIn('sso:v')
  expect(await earlierCasesWith(viewer, ANA, idOf(1))).toMatchObject({ notKnown: expect.any(String) })
})

test('knows no earlier cases until the list is read', async () => {
  const CLEO = '00000000-0000-4000-8000-00000000001c'
  tellOf(service, 200, (number) => (number > 100 ? { raisedByUserId: CLEO } : {}))
  const { promise, resolve } = Promise.withResolvers<void>()
  service.before = (what) => (what === pageOf(2) ? promise : Promise.resolve())
  expect(await earlierCasesWith(session, CLEO, idOf(199))).toEqual({ notKnown: 'Reading the list: 1 of 2 pages.' })
  resolve()
  await swept()
  expect(await earlierCasesWith(session, CLEO, idOf(199))).toMatchObject({ counts: [{ count: 99 }] })
})

test('knows earlier cases for ten minutes after a complete read', async () => {
  tellOf(service, 200)
  const known = async () => await earlierCasesWith(await signedIn('sso:later'), ANA, idOf(199))
  await queueOfList(session, 'OPEN')
  await swept()
  letPass(590_000)
  service.on(pageOf(2), refused(500, 'core::fault'))
  await known()
  await swept()
  expect(await known()).toMatchObject({ counts: [{ count: 199 }] })
  letPass(30_000)
  expect(await known()).toEqual({ notKnown: expect.stringContaining('could not be read fully') })
  await swept()
})

test('says whether a transaction has a case, or why not', async () => {
  const request = async (...answers: Parameters<typeof service.on> extends [string, ...infer Rest] ? Rest : never) => {
    session = await signedIn('sso:me')
    service.on(FIRST_PAGE, ...answers)
    return await caseOfTransaction(session, 'reference 7')
  }
  expect(await request(list(caseOf(1)))).toEqual({ kind: 'none' })
  expect(await request(list(caseOf(7)))).toEqual({ kind: 'case', caseId: idOf(7) })
  expect(await request(refused(500, 'core::fault'))).toMatchObject({
    kind: 'not-known',
    why: expect.stringContaining('could not be read fully'),
    again: true,
  })
  expect(await request(list(caseOf(1), { id: 7 }))).toMatchObject({
    kind: 'not-known',
    why: 'Some cases cannot be read.',
  })
  expect(await request(list(caseOf(1, { raisedByUserId: ME })))).toMatchObject({ kind: 'not-known', again: false })
})

test('around a case stand those before and after it, wherever in the queue it is; without it, the first', async () => {
  tellOf(service, 300)
  await queueOfList(session, 'OPEN')
  await swept()
  const around = await queueFor(session, everyOpenCase, { around: idOf(200).toUpperCase() })
  expect(around).toMatchObject({ firstPlace: 175, total: 300 })
  expect(around.rows.map(({ id }) => id)).toEqual(Array.from({ length: 51 }, (_, at) => idOf(175 + at)))
  expect(await queueFor(session, everyOpenCase, { around: idOf(999) })).toMatchObject({ firstPlace: 1 })
})

test('what moved since rows were shown is told: new ones on any page, and shown ones that stand elsewhere', async () => {
  service.on(FIRST_PAGE, list(...Array.from({ length: 25 }, (_, at) => caseOf(at + 2))))
  const first = { page: 1, size: 20 } as const
  const { rows, arrival } = await queueFor(session, everyOpenCase, first)
  await Promise.all([recordCase(caseOf(1)), recordCase(caseOf(90))])
  await recordCase(caseOf(5, { status: 'RESOLVED' }))
  const { since } = await queueFor(session, everyOpenCase, first, { ids: rows.map(({ id }) => id), arrival })
  expect(since).toMatchObject({ arrived: 2, arrivedHere: [idOf(1)], elsewhere: [] })
  await recordCase(caseOf(0))
  const again = await queueFor(session, everyOpenCase, first, { ids: rows.map(({ id }) => id), arrival })
  expect(again.since).toMatchObject({ arrived: 3, elsewhere: [{ id: idOf(21) }] })
})
