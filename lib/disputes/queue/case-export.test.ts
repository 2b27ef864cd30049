import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  ANA,
  caseOf,
  FIRST_PAGE,
  freshQueue,
  idOf,
  letPass,
  list,
  ME,
  pageOf,
  signedIn,
  swept,
  tellOf,
} from '#lib/testing/listed-cases.ts'
import { ok, refused, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { caseWriter, exportCases } from './case-export.ts'
import { everyOpenCase, type QueueFilter } from './queue.ts'
import { queueFor } from './queue-view.ts'

let service: ScriptedService
let session: Session

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
})

async function read(by = session): Promise<void> {
  await queueFor(by, everyOpenCase, { page: 1, size: 20 })
  await swept()
}

async function exported(change: Partial<QueueFilter> = {}, by = session) {
  const found = await exportCases(by, { ...everyOpenCase, ...change })
  if (!found.ok) throw new Error(found.why)
  return await Array.fromAsync(found.parts)
}
const idsIn = (parts: Awaited<ReturnType<typeof exported>>) => parts.flatMap(({ rows }) => rows.map((row) => row?.id))

test('exports each case of the filter once, oldest first', async () => {
  tellOf(service, 1_203, (number) => (number % 100 === 0 ? { status: 'RESOLVED' } : {}))
  await read()
  const parts = await exported()
  const open = Array.from({ length: 1_203 }, (_, at) => at + 1).filter((number) => number % 100 !== 0)
  expect(idsIn(parts)).toEqual(open.map(idOf))
  expect(parts.map(({ rows, total }) => [rows.length, total])).toEqual([
    [500, 1_191],
    [500, 1_191],
    [191, 1_191],
  ])
  expect(idsIn(await exported({ list: 'RESOLVED' }))).toHaveLength(12)
})

test('a case that leaves the list meanwhile hides no other', async () => {
  tellOf(service, 600)
  await read()
  const found = await exportCases(session, everyOpenCase)
  const parts = found.ok ? found.parts : null
  const first = (await parts?.next())?.value?.rows.map((row) => row?.id) ?? []
  await (await store())
    .deleteFrom('case_index')
    .where('id', 'in', [idOf(1), idOf(500)])
    .execute()
  const rest = (await parts?.next())?.value?.rows.map((row) => row?.id) ?? []
  expect([...first, ...rest]).toEqual(Array.from({ length: 600 }, (_, at) => idOf(at + 1)))
})

test('writes one row per case, without formulas', async () => {
  service.on(FIRST_PAGE, list(caseOf(1, { reason: '=1+1' }), caseOf(2, { counterpartyUserId: ME }), { id: 'no case' }))
  for (const number of [1, 2]) await claimedBy('sso:other', idOf(number))
  await read()
  const db = await store()
  await db.insertInto('case_amount').values({ reference: 'reference 1', amount: '20.5', read_at: new Date() }).execute()
  const [part] = await exported()
  expect(part?.unreadable).toBe(1)
  const [one, other] = caseWriter
    .rows(part?.rows ?? [], true)
    .trim()
    .split('\r\n')
  expect(one).toContain(`${idOf(1)},OPEN,,,,sso:other@example.com,'=1+1,`)
  // A party does not see who works on the case.
  expect(other).toContain(`${idOf(2)},OPEN,,,,,`)
  const scopes = ['disputes:resolve', 'transactions:read']
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes }))
  const [seen] = await exported({}, await signedIn('sso:reader'))
  expect(caseWriter.rows(seen?.rows ?? [], true)).toContain(`${idOf(1)},OPEN,,,20.50000000,`)
})

test.each(['OPEN', 'RESOLVED'] as const)('marks cases that could not be read in %s', async (status) => {
  service.on(FIRST_PAGE, list(caseOf(1), { id: 'no case' }, { id: 'nor this' }))
  await read()
  const parts = await exported({ list: status })
  const file = parts.map(({ rows }) => caseWriter.rows(rows, false)).join('')
  const readable = status === 'OPEN' ? 1 : 0
  const marks = Array(2).fill(`(a case that could not be read)${','.repeat(11)}`)
  expect(file.split('\r\n').slice(readable, -1)).toEqual(marks)
  expect(parts.at(-1)).toMatchObject({ total: readable + 2, unreadable: 2 })
})

test('a case that leaves the list is not cut', async () => {
  tellOf(service, 600)
  await read()
  const found = await exportCases(session, everyOpenCase)
  if (!found.ok) throw new Error(found.why)
  await found.parts.next()
  await (await store()).deleteFrom('case_index').where('id', '=', idOf(600)).execute()
  expect((await Array.fromAsync(found.parts)).at(-1)?.total).toBe(599)
})

describe('a filter by amount', () => {
  const byAmount = { ...everyOpenCase, amountFrom: '0' }

  test.beforeEach(async () => {
    service.on(FIRST_PAGE, list(caseOf(1), caseOf(2)))
    await read()
  })

  const setAmount = async (number: number) =>
    (await store())
      .insertInto('case_amount')
      .values({ reference: `reference ${number}`, amount: '20.5', read_at: new Date() })
      .execute()

  test('makes no file until every amount is known', async () => {
    const scopes = ['disputes:resolve', 'transactions:read']
    service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes }))
    const reader = await signedIn('sso:reader')
    await setAmount(1)
    expect(await exportCases(reader, byAmount)).toEqual({ ok: false, why: 'amounts-unread', cases: 1 })
    expect(await exportCases(reader, { ...byAmount, turn: 'us' })).toMatchObject({ why: 'amounts-unread', cases: 1 })
    await setAmount(2)
    expect(idsIn(await exported(byAmount, reader))).toEqual([1, 2].map(idOf))
  })

  test('makes no file for people who cannot see amounts', async () => {
    for (const number of [1, 2]) await setAmount(number)
    expect(await exportCases(session, byAmount)).toEqual({ ok: false, why: 'amounts-hidden' })
  })
})

describe('a filter by messages', () => {
  test.beforeEach(async () => {
    service.on(FIRST_PAGE, list(caseOf(1), caseOf(2), caseOf(3, { counterpartyUserId: ME })))
    await read()
  })

  const setThread = async (number: number) =>
    (await store())
      .insertInto('case_thread')
      .values({ case_id: idOf(number), read_at: 1, last_key: 'a', last_author: ANA })
      .execute()

  test.each<[name: string, filter: Partial<QueueFilter>]>([
    ['by turn', { turn: 'us' }],
    ['of unread cases', { unread: true }],
  ])('makes no file %s until every thread is known', async (_name, filter) => {
    await setThread(1)
    expect(await exportCases(session, { ...everyOpenCase, ...filter })).toEqual({
      ...{ ok: false, why: 'messages-unread', cases: 1 },
    })
    await setThread(2)
    const parts = await exported(filter)
    expect([idsIn(parts), parts.map(({ total }) => total)]).toEqual([[1, 2].map(idOf), [2]])
  })

  test('exports the cases whose threads are not known', async () => {
    await setThread(1)
    const parts = await exported({ turn: 'unknown' })
    expect([idsIn(parts), parts.map(({ total }) => total)]).toEqual([[idOf(2)], [1]])
  })
})

test('makes no file of an incomplete list', async () => {
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME })))
  expect(await exportCases(session, everyOpenCase)).toEqual({ ok: false, why: 'not-admin' })
  service.on(FIRST_PAGE, refused(503, 'down'))
  const other = await signedIn('sso:other')
  expect((await exportCases(other, everyOpenCase)).ok).toBe(false)
})

describe('a list that takes minutes to read', () => {
  const slowly = (page: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    service.before = (what) => (what === pageOf(page) ? promise : Promise.resolve())
    return resolve
  }

  test('makes no file of old cases until it is read', async () => {
    tellOf(service, 300)
    await read()
    letPass(3 * 86_400_000)
    tellOf(service, 400, (number) => (number <= 200 ? { status: 'RESOLVED' } : {}))
    const readOn = slowly(4)
    const later = await signedIn('sso:later')
    expect(await exportCases(later, everyOpenCase)).toEqual({
      ...{ ok: false, why: 'incomplete' },
      words: 'Reading the list: 3 of 4 pages. Export once it is complete, within 10 minutes.',
    })
    readOn()
    await swept()
    expect(idsIn(await exported({}, later))).toHaveLength(200)
  })

  test('makes a file while it is read again', async () => {
    tellOf(service, 200)
    await read()
    letPass(590_000)
    const readOn = slowly(2)
    expect(idsIn(await exported({}, await signedIn('sso:later')))).toHaveLength(200)
    readOn()
    await swept()
  })

  test('says what to do if it never completes', async () => {
    tellOf(service, 200)
    service.on(pageOf(2), refused(500, 'core::fault'))
    expect(await exportCases(session, everyOpenCase)).toMatchObject({
      why: 'incomplete',
      words: expect.stringMatching(/could not be read fully.* If it persists, contact your administrator\./),
    })
  })
})
