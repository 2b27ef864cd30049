import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { caseOf, FIRST_PAGE, freshQueue, idOf, list, ME, signedIn } from '#lib/testing/listed-cases.ts'
import { ok, refused, type Scripted, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { everyOpenCase, type QueueFilter } from './queue.ts'
import { queueFor } from './queue-view.ts'
import { onFacts } from './transaction-facts.ts'

const path = (number: number) => `GET /api/v1/Transaction/reference%20${number}`
const SCOPES = `GET /api/v1/Users/${ME}/scopes`
const STAFF = ok({ userId: ME, roles: [], scopes: ['disputes:resolve', 'transactions:read'] })

const transaction = (number: number, debit: string): Scripted =>
  ok({
    ...{ transactionId: '00000000-0000-4000-8000-0000000000aa', referenceId: `reference ${number}`, state: 'DISPUTED' },
    ...{ fromAccountId: '00000000-0000-4000-8000-000000000011', toAccountId: '00000000-0000-4000-8000-000000000012' },
    ...{ credit: debit, debit, transactionType: 'P2P', chainReferenceId: '', txContractAddress: '' },
    ...{ txContractVersion: '', createdAt: '2026-07-01T10:00:00Z', settledAt: null, note: '', failReason: '' },
  })

let service: ScriptedService
let session: Session

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
  service.on(SCOPES, STAFF)
  session = await signedIn('sso:me')
  service.on(FIRST_PAGE, list(...[1, 2, 3, 4].map((number) => caseOf(number))))
  for (const [at, debit] of ['20.5', '100', '1000.00000001'].entries()) {
    service.on(path(at + 1), transaction(at + 1, debit))
  }
  service.on(path(4), refused(404, 'unknown'))
})

const view = (change: Partial<QueueFilter>, by = session) =>
  queueFor(by, { ...everyOpenCase, ...change }, { page: 1, size: 100 })
const idsIn = async (change: Partial<QueueFilter>) => (await view(change)).rows.map(({ id }) => id)
/** Looks at the store: another view could begin to read the last amount again. */
const isRead = () =>
  eventually(async () => {
    const { rows } = await sql`SELECT FROM case_amount`.execute(await store())
    expect(rows).toHaveLength(4)
  })
const pathsRead = () => service.arrived.filter(({ what }) => what.includes('/Transaction/')).map(({ what }) => what)

test('a filter reads the amounts that it needs, each once', async () => {
  let told = 0
  const stop = onFacts(session, () => {
    told += 1
  })
  expect(await view({ amountFrom: '100' })).toMatchObject({ rows: [], amountsUnread: 4 })
  await isRead()
  await eventually(() => expect(told).toBe(1))
  stop()
  expect((await view({ amountFrom: '0' })).amountsUnread).toBe(1)
  expect(pathsRead().toSorted()).toEqual([1, 2, 3, 4].map(path))
  const kept = await (await store())
    .selectFrom('case_amount')
    .select(['reference', 'amount'])
    .orderBy('reference')
    .execute()
  expect(kept.map(({ amount }) => amount)).toEqual(['20.5', '100', '1000.00000001', null])
})

test('filters by amount, bounds included, to the last decimal', async () => {
  await view({ amountFrom: '0' })
  await isRead()
  expect(await idsIn({ amountFrom: '100', amountTo: '1000' })).toEqual([idOf(2)])
  expect(await idsIn({ amountFrom: '1000.00000001' })).toEqual([idOf(3)])
  expect(await idsIn({ amountTo: '100.00' })).toEqual([1, 2].map(idOf))
  expect((await view({ amountTo: '100' })).counts.claims).toMatchObject({ unassigned: 2 })
})

test('sorts by amount, with unknown amounts last', async () => {
  await view({ amountFrom: '0' })
  await isRead()
  const sort = (descending: boolean) => ({ sort: { column: 'amount', descending } }) as const
  expect(await idsIn(sort(true))).toEqual([3, 2, 1, 4].map(idOf))
  expect(await idsIn(sort(false))).toEqual([1, 2, 3, 4].map(idOf))
})

test('shows amounts by filter only to people who may read them', async () => {
  await view({ amountFrom: '0' })
  await isRead()
  service.on(SCOPES, ok({ userId: ME, roles: [], scopes: ['disputes:resolve'] }))
  const other = await signedIn('sso:other')
  const before = pathsRead().length
  expect(await view({ amountFrom: '100' }, other)).toMatchObject({ rows: [], amountsUnread: 'hidden' })
  const sorted = await view({ sort: { column: 'amount', descending: true } }, other)
  expect(sorted.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4].map(idOf))
  expect(pathsRead()).toHaveLength(before)
})

test('reads the amounts after those that cannot be read', async () => {
  service.on(path(1), refused(500, 'broken'))
  service.on(path(2), ok({ referenceId: 'reference 2' }))
  expect(await view({ amountFrom: '0' })).toMatchObject({ amountsUnread: 4 })
  await isRead()
  expect(await view({ amountFrom: '0' })).toMatchObject({ rows: [{ id: idOf(3) }], amountsUnread: 3 })
  expect(pathsRead()).toEqual([1, 2, 3, 4].map(path))
})

test('reads the amounts after one that is late', async () => {
  service.on(path(1), refused(504, 'late'))
  expect(await view({ amountFrom: '0' })).toMatchObject({ amountsUnread: 4 })
  await isRead()
  expect(await view({ amountFrom: '0' })).toMatchObject({ rows: [{ id: idOf(2) }, { id: idOf(3) }], amountsUnread: 2 })
  expect(pathsRead()).toEqual([1, 1, 1, 2, 3, 4].map(path))
})

test('stops reading amounts at the third late answer', async () => {
  for (const number of [1, 2, 3]) service.on(path(number), refused(504, 'late'))
  await view({ amountFrom: '0' })
  await eventually(() => expect(pathsRead()).toHaveLength(9))
  await view({ amountFrom: '0' })
  await eventually(() => expect(pathsRead()).toHaveLength(18))
  expect(pathsRead()).not.toContain(path(4))
  expect(await (await store()).selectFrom('case_amount').selectAll().execute()).toEqual([])
})

test('stops reading amounts at a failure that concerns all', async () => {
  for (const number of [1, 2, 3, 4]) service.on(path(number), refused(503, 'down'))
  expect(await view({ amountFrom: '0' })).toMatchObject({ amountsUnread: 4 })
  await eventually(async () => {
    await view({ amountFrom: '0' })
    expect(pathsRead().length).toBeGreaterThan(2)
  })
  expect(new Set(pathsRead())).toEqual(new Set([path(1)]))
  expect(await (await store()).selectFrom('case_amount').selectAll().execute()).toEqual([])
})
