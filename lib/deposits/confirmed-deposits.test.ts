import { describe, expect } from 'vitest'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ANA, cardTest } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { statesSeen } from '#lib/transactions/transaction-service.ts'
import { confirmersLately, readConfirmedDeposits } from './confirmed-deposits.ts'
import { ALL_CONFIRMED, type ConfirmedSearch } from './confirmed-search.ts'

const READ = '/api/v1/Transaction/{referenceId}'
const BEN = '00000000-0000-4000-8000-000000000012'
const DAY_SECONDS = 86_400

const test = cardTest
  /** Announces a deposit for ana and confirms it; answers its reference. */
  .extend('confirmed', ({ service, operator }) => async (amount: string, session = operator): Promise<string> => {
    const referenceId = await service.announceDeposit(amount)
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: amount }
    const { command } = await runCommand(session, 'deposit.confirm', params)
    expect(command.outcome.class).toBe('done')
    return referenceId
  })
  .extend('found', ({ operator }) => async (search: Partial<ConfirmedSearch>, session = operator, page = 1) => {
    const wanted = { ...ALL_CONFIRMED, ...search }
    const { deposits, total } = await readConfirmedDeposits(session, { page, size: 2 }, null, wanted)
    return { references: deposits.map(({ reference }) => reference), total }
  })

async function listed(session: Session, size = 2, known: Parameters<typeof readConfirmedDeposits>[2] = null) {
  const { deposits, ...rest } = await readConfirmedDeposits(session, { page: 1, size }, known)
  return {
    ...rest,
    deposits: Object.fromEntries(deposits.map((deposit) => [deposit.reference, deposit])),
    all: deposits,
  }
}

/** The console notes a state after it has answered. */
const noted = (reference: string, state: string) =>
  eventually(async () => expect((await statesSeen(reference))?.map((seen) => seen.state)).toContain(state))

test('lists confirmed deposits newest first, with state and hold', async ({ admin, confirmed }) => {
  const [first, second] = [await confirmed('11'), await confirmed('12')]
  const { all, everyone, total } = await listed(admin)
  expect(everyone).toBe(true)
  expect(all.map(({ reference }) => reference)).toEqual([second, first])
  expect(all[0]).toMatchObject({
    facts: { amount: '12.00000000', holder: ANA, bankReference: `ATL ${second}` },
    confirmedBy: 'operator@example.com',
    seen: { state: 'PROCESSING' },
    unread: null,
    hold: { kind: 'ends', latest: false },
  })
  const next = await readConfirmedDeposits(admin, { page: 2, size: 1 }, null)
  expect([next.total, next.deposits.map(({ reference }) => reference)]).toEqual([total, [first]])
})

test('reads no settled deposit again, and none twice', async ({ service, operator, confirmed }) => {
  const [open, settled] = [await confirmed('13'), await confirmed('14')]
  await service.call('POST', '/sandbox/clock', { body: { advanceSeconds: DAY_SECONDS } })
  expect((await listed(operator, 1)).deposits[settled]).toMatchObject({
    seen: { state: 'PROCESSED' },
    hold: { kind: 'ended', at: expect.stringMatching(/Z$/) },
  })
  await noted(settled, 'PROCESSED')
  const reads = (reference: string) => service.arrived('GET', `/api/v1/Transaction/${reference}`)
  const before = [await reads(settled), await reads(open)]
  const problem = problemOf('service', { status: 500 })
  const known = { reference: open, result: { ok: false, problem } } as const
  const { deposits } = await listed(operator, 2, known)
  // The end of its hold is the service's own time, and stays known.
  const settledAt = deposits[settled]?.seen?.since
  expect(settledAt).toMatch(/Z$/)
  expect(deposits[settled]).toMatchObject({
    seen: { state: 'PROCESSED' },
    unread: null,
    hold: { kind: 'ended', at: settledAt },
  })
  expect(deposits[open]).toMatchObject({ unread: problem })
  expect([await reads(settled), await reads(open)]).toEqual(before)
})

test('what cannot be read is said to be so, beside what was seen last', async ({ service, operator, confirmed }) => {
  const reference = await confirmed('15')
  await listed(operator, 1)
  await noted(reference, 'PROCESSING')
  await service.fault('GET', READ, { status: 500 }, 1)
  expect((await listed(operator, 1)).deposits[reference]).toMatchObject({
    facts: { amount: '15.00000000' },
    seen: { state: 'PROCESSING' },
    unread: { kind: 'service', status: 500 },
    hold: { kind: 'ends' },
  })
})

test('a service that is out is not asked for every row', async ({ operator, confirmed }) => {
  const references = [await confirmed('16'), await confirmed('17')]
  const known = { reference: 'another', result: { ok: false, problem: problemOf('unreachable') } } as const
  const { deposits } = await listed(operator, 2, known)
  for (const reference of references) expect(deposits[reference]).toMatchObject({ unread: 'not-read' })
})

test('who is not known to confirm deposits sees their own alone', async ({ service, viewer, confirmed }) => {
  const others = await confirmed('18')
  const clerk = await signedInUnread(service, 'operator@example.com')
  const own = await confirmed('19', clerk)
  const mine = await listed(clerk, 50)
  expect(mine).toMatchObject({ everyone: false, scopesKnown: false })
  expect(Object.keys(mine.deposits)).toContain(own)
  expect(Object.keys(mine.deposits)).not.toContain(others)
  const ben = await signedIn(service, 'ben@example.com', BEN)
  for (const session of [ben, viewer]) {
    expect(await listed(session, 50)).toMatchObject({ everyone: false, scopesKnown: true, all: [], total: 0 })
  }
})

test('of a deposit that the service hides from a person nothing is told', async ({ service, admin, confirmed }) => {
  const others = await confirmed('20')
  await service.fault('GET', READ, { status: 404 }, 2)
  expect((await listed(admin)).deposits[others]).toMatchObject({
    facts: null,
    seen: null,
    unread: { status: 404 },
    hold: { kind: 'not-told' },
  })
})

describe('search', () => {
  const sentAt = async (reference: string, sent_at: string) =>
    (await store()).updateTable('command').set({ sent_at }).where('target', '=', reference).execute()

  test('finds a bank reference by its beginning, spelt differently', async ({ confirmed, found }) => {
    const references = [await confirmed('21'), await confirmed('22')]
    const [first = ''] = references
    const all = await found({ bank: 'atl\u2003' })
    expect([all.total, all.references.toSorted()]).toEqual([2, references.toSorted()])
    expect(await found({ bank: `  ａｔｌ ${first.toLowerCase()}` })).toEqual({ references: [first], total: 1 })
    for (const bank of [first, `ATL ${first}0`, '%', 'A_L']) {
      expect(await found({ bank }), bank).toEqual({ references: [], total: 0 })
    }
  })

  test('finds a late confirmation whose lock was freed', async ({ confirmed, found }) => {
    const reference = await confirmed('23')
    const db = await store()
    await db.deleteFrom('command_lock').where('key', 'like', 'bank:%').execute()
    await db.updateTable('command').set({ state: 'applied' }).where('target', '=', reference).execute()
    expect(await found({ bank: `atl ${reference}` })).toEqual({ references: [reference], total: 1 })
  })

  test('finds the days of the business time zone', async ({ confirmed, found }) => {
    putPerProcess('config', { ...config(), businessZone: 'America/Belize' })
    const [before, first, last] = [await confirmed('24'), await confirmed('25'), await confirmed('26')]
    await sentAt(before, '2026-11-20T05:59:59.999Z')
    await sentAt(first, '2026-11-20T06:00:00.000Z')
    await sentAt(last, '2026-11-21T05:59:59.999Z')
    expect(await found({ day: '2026-11-20' })).toEqual({ references: [last, first], total: 2 })
    expect(await found({ day: '2026-11-19' })).toEqual({ references: [before], total: 1 })
  })

  test('finds a person, combined with a bank reference, by pages', async ({ operator, admin, confirmed, found }) => {
    const own = [await confirmed('27'), await confirmed('28'), await confirmed('29')]
    const others = await confirmed('30', admin)
    expect(await found({ by: 'OPERATOR@example.com' }, admin)).toEqual({
      references: own.slice(1).reverse(),
      total: 3,
    })
    expect(await found({ by: 'me' }, operator, 2)).toEqual({ references: own.slice(0, 1), total: 3 })
    expect(await found({ by: 'admin@example.com', bank: 'ATL' })).toEqual({ references: [others], total: 1 })
    expect(await found({ by: 'admin@example.com', bank: `ATL ${own[0]}` })).toEqual({ references: [], total: 0 })
    expect(await confirmersLately(operator)).toEqual(['admin@example.com', 'operator@example.com'])
  })

  test('finds colleagues of the same name, and the own changes', async ({ admin, confirmed, found }) => {
    const references = [await confirmed('32', admin), await confirmed('33')].reverse()
    const namesake = { ...admin, displayName: 'Operator@example.com' }
    for (const by of ['operator@example.com', 'opera']) {
      expect(await found({ by }, namesake)).toEqual({ references, total: 2 })
    }
    expect(await found({ by: 'me' }, namesake)).toEqual({ references: references.slice(1), total: 1 })
  })

  test('a page of hidden deposits says no number', async ({ service, admin, confirmed, found }) => {
    for (const amount of ['34', '35', '36']) await confirmed(amount)
    await service.fault('GET', READ, { status: 404 }, 3)
    expect(await found({ bank: 'ATL' }, admin)).toEqual({ references: [], total: 0 })
    expect(await found({ bank: 'ATL' }, admin, 2)).toEqual({ references: [], total: 2 })
    expect(await found({ bank: 'ATL' }, admin, 3)).toEqual({ references: [], total: 3 })
  })

  test('finds nothing that a person may not see', async ({ service, admin, viewer, confirmed, found }) => {
    const reference = await confirmed('31')
    for (const search of [{ bank: 'ATL' }, { by: 'operator@example.com' }, { by: 'me' }]) {
      expect(await found(search, viewer)).toEqual({ references: [], total: 0 })
    }
    expect(await confirmersLately(viewer)).toEqual([])
    await service.fault('GET', READ, { status: 404 }, 2)
    expect(await found({ bank: `ATL ${reference}` }, admin)).toEqual({ references: [], total: 0 })
  })
})
