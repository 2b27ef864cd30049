import { beforeEach, describe, expect, test } from 'vitest'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { recordReading, recordSeen, rememberMessages } from '#lib/disputes/unread/thread-table.ts'
import { store } from '#lib/store/store.ts'
import { caseOf, idOf } from '#lib/testing/listed-cases.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { casesWith, countCasesWith, dropUnseenSince, indexCases, indexedCaseOf, latestInIndex } from './case-index.ts'
import { CaseQuery } from './case-index-query.ts'
import { ages, claimFilters, everyOpenCase, notices, type QueueFilter, turnFilters } from './queue.ts'

const ANA = '00000000-0000-4000-8000-00000000001A'
const BEN = '00000000-0000-4000-8000-00000000001B'
const CLEO = '00000000-0000-4000-8000-00000000001C'
const ME = { userId: '00000000-0000-4000-8000-0000000000ff', actor: 'sso:me', seesClaims: true, seesAmounts: true }
const NOW = Date.parse('2026-07-10T12:00:00.000Z')

const found = (number: number, change: Partial<ThreadCase> = {}): ThreadCase =>
  caseOf(number, { raisedByUserId: ANA, counterpartyUserId: BEN, ...change })

const RESOLVED = { status: 'RESOLVED', resolutionOutcome: 'REFUNDED', resolvedAt: '2026-07-02T10:00:00.0000000Z' }
const minute = (count: number): string => new Date(Date.UTC(2026, 6, 3, 0, count)).toISOString()

const keep = async (cases: readonly ThreadCase[], at = minute(0)) => indexCases(await store(), cases, at)
const of = async (party: string, except = idOf(0), limit = 50) => casesWith(await store(), party, { except, limit })
const query = async (choice: Partial<QueueFilter> = {}, reader = ME) =>
  new CaseQuery(await store(), { ...everyOpenCase, ...choice }, reader, NOW)

let messages = 0
/** Has a message of each author, in order, and that the case's messages were read whole. */
async function written(number: number, ...authors: readonly string[]): Promise<void> {
  const db = await store()
  const thread = authors.map((senderUserId) => {
    messages += 1
    return {
      ...{ id: `m${messages}`, senderUserId, isSystemMessage: false, body: 'Some words.' },
      createdAt: `2026-07-02T10:00:00.${String(messages).padStart(7, '0')}Z`,
    }
  })
  await rememberMessages(db, idOf(number), thread)
  await recordReading(db, idOf(number))
}
const seen = async (number: number, at: number) =>
  recordSeen(await store(), ME.actor, idOf(number), {
    id: `m${at}`,
    createdAt: `2026-07-02T10:00:00.${String(at).padStart(7, '0')}Z`,
  })
const idsOf = async (choice: Partial<QueueFilter> = {}, from = 0, limit = 100, total = 0) =>
  (await (await query(choice)).rows(from, limit, total)).map(({ id }) => id)

beforeEach(async () => {
  messages = 0
  await freshConsole()
})

describe('cases of a party', () => {
  test('come newest first, whichever side they were on, without the one that is asked from', async () => {
    await keep([
      found(1),
      found(2, { raisedByUserId: CLEO, counterpartyUserId: ANA }),
      found(3),
      found(4, { raisedByUserId: CLEO }),
    ])
    expect((await of(ANA, idOf(3))).map(({ id }) => id)).toEqual([idOf(2), idOf(1)])
    expect((await of(ANA, idOf(9), 2)).map(({ id }) => id)).toEqual([idOf(3), idOf(2)])
    expect(await of('00000000-0000-4000-8000-0000000000ff')).toEqual([])
  })

  test('are found by an id in capitals and small letters', async () => {
    await keep([found(1)])
    expect(await of(ANA.toLowerCase(), idOf(2))).toHaveLength(1)
    expect(await of(ANA, idOf(1).toUpperCase())).toEqual([])
  })

  test('are counted by status and outcome, on either side, however many, without the one asked from', async () => {
    const outcomes = [...Array(70).fill('REFUNDED'), ...Array(30).fill('RELEASED'), ...Array(20).fill(null)]
    const cases = outcomes.map((resolutionOutcome, number) =>
      found(number, {
        ...(number % 2 === 0 ? {} : { raisedByUserId: BEN, counterpartyUserId: ANA.toLowerCase() }),
        ...(resolutionOutcome === null ? {} : { ...RESOLVED, resolutionOutcome }),
      }),
    )
    await keep(cases)
    const counts = await countCasesWith(await store(), ANA, idOf(119).toUpperCase())
    expect(counts.toSorted((one, other) => other.count - one.count)).toEqual([
      { status: 'RESOLVED', outcome: 'REFUNDED', count: 70 },
      { status: 'RESOLVED', outcome: 'RELEASED', count: 30 },
      { status: 'OPEN', outcome: null, count: 19 },
    ])
    expect(await countCasesWith(await store(), CLEO, idOf(0))).toEqual([])
  })
})

describe('a case that is read again', () => {
  test('is one case, as it was read last, with the outcome word for word, and keeps its number', async () => {
    await keep([found(1)])
    const [before] = await of(ANA)
    await keep([found(1, { ...RESOLVED, id: idOf(1).toUpperCase() })], minute(1))
    const { arrival } = before ?? {}
    expect(await of(ANA)).toMatchObject([{ status: 'RESOLVED', outcome: 'REFUNDED', seen_at: minute(1), arrival }])
  })

  test('stays as it is when an older reading comes later', async () => {
    await keep([found(1, RESOLVED)], minute(5))
    await keep([found(1)], minute(4))
    expect(await of(ANA)).toMatchObject([{ status: 'RESOLVED', seen_at: minute(5) }])
  })
})

test('a complete sweep that did not meet a case lets go of it; one that was read since stays', async () => {
  await keep([found(1), found(2), found(3)], minute(0))
  await keep([found(1)], minute(2))
  await keep([found(3)], minute(1))
  await dropUnseenSince(await store(), minute(1), [])
  expect(await idsOf()).toEqual([idOf(1), idOf(3)])
})

test('many are kept at once, and two who write the same ones do not stop each other', async () => {
  const cases = Array.from({ length: 1_200 }, (_, at) => found(at + 1))
  await Promise.all([keep(cases, minute(1)), keep(cases.toReversed(), minute(2))])
  expect(await of(BEN, idOf(0), 2_000)).toHaveLength(1_200)
})

test('the same case twice in one reading is kept once', async () => {
  await keep([found(1), found(1, { ...RESOLVED, id: idOf(1).toUpperCase() })])
  expect(await of(ANA)).toHaveLength(1)
})

test('the case of a transaction is found by its exact reference', async () => {
  await keep([found(1), found(2)])
  expect(await indexedCaseOf(await store(), 'reference 2')).toEqual({ id: idOf(2) })
  expect(await indexedCaseOf(await store(), 'REFERENCE 2')).toBeUndefined()
})

describe('the order', () => {
  test('by age goes by all seven digits, also where zeros at the end are left out; then by id', async () => {
    const times = ['2026-07-01T10:00:00.12Z', '2026-07-01T10:00:00.1200001Z', '2026-07-01T10:00:01Z']
    await keep([
      ...times.map((createdAt, at) => found(9 - at, { createdAt })),
      found(0, { createdAt: '2026-07-01T10:00:00.1200000Z' }),
    ])
    const oldestFirst = [0, 9, 8, 7].map(idOf)
    expect(await idsOf()).toEqual(oldestFirst)
    expect(await idsOf({ sort: { column: 'age', descending: true } })).toEqual(oldestFirst)
    expect(await idsOf({ sort: { column: 'age', descending: false } })).toEqual(oldestFirst.toReversed())
  })

  test('of resolved cases has the latest first, whenever they were opened', async () => {
    const resolvedAt = (time: string) => ({ ...RESOLVED, resolvedAt: time })
    await keep([
      found(1, resolvedAt('2026-07-02T10:00:00.1Z')),
      found(2, resolvedAt('2026-07-02T10:00:00.0999999Z')),
      found(3, resolvedAt('2026-07-02T10:00:00.1000001Z')),
      found(4),
    ])
    expect(await idsOf({ list: 'RESOLVED' })).toEqual([3, 1, 2].map(idOf))
    expect(await idsOf({ list: 'ALL', sort: { column: 'status', descending: true } })).toEqual([1, 2, 3, 4].map(idOf))
  })

  test('is the same from the end: each page of every order is what counting from the start gives', async () => {
    const variants = [
      {},
      RESOLVED,
      { ...RESOLVED, resolutionOutcome: null },
      { ...RESOLVED, resolutionOutcome: 'KEPT' },
    ]
    await keep(Array.from({ length: 45 }, (_, at) => found(at, { ...variants[at % 4], createdAt: minute(at >> 1) })))
    for (const number of [3, 8, 21, 44]) await written(number, ANA)
    for (const column of ['age', 'status', 'outcome', 'resolved', 'last'] as const) {
      for (const descending of [true, false]) {
        const choice = { list: 'ALL', sort: { column, descending } } as const
        const all = await idsOf(choice)
        for (const from of [0, 20, 25, 40, 60])
          expect(await idsOf(choice, from, 20, all.length)).toEqual(all.slice(from, from + 20))
      }
    }
  })

  test('by last message has cases without a known one last', async () => {
    await keep([found(1), found(2), found(3), found(4, { counterpartyUserId: ME.userId })])
    await written(4, ANA)
    await written(3, ANA)
    await written(2, BEN)
    expect(await idsOf({ sort: { column: 'last', descending: false } })).toEqual([3, 2, 1, 4].map(idOf))
    expect(await idsOf({ sort: { column: 'last', descending: true } })).toEqual([2, 3, 1, 4].map(idOf))
  })

  test('makes one sequence of all pages', async () => {
    await keep(Array.from({ length: 45 }, (_, at) => found(at + 1)))
    const pages = await Promise.all([0, 20, 40].map((from) => idsOf({}, from, 20)))
    expect(pages.flat()).toEqual(Array.from({ length: 45 }, (_, at) => idOf(at + 1)))
    expect(await (await query()).placeByAge(idOf(30).toUpperCase())).toBe(29)
    expect(await (await query()).placeByAge(idOf(99))).toBeNull()
  })
})

describe('what is wanted', () => {
  const days = '09T12:00:00.0000001 09T12:00:00 07T23:59:59 07T00:00:00 03T13:00:00 03T11:00:00'.split(' ')
  const cases = Array.from({ length: 40 }, (_, at) =>
    found(at + 1, {
      createdAt: `2026-07-${days[at % 8] ?? '01T00:00:00'}Z`,
      ...(at % 5 === 0 ? RESOLVED : {}),
      ...(at % 7 === 0 ? { raisedByUserId: CLEO } : {}),
      ...(at % 11 === 0 ? { counterpartyUserId: ME.userId.toUpperCase() } : {}),
      reason: at % 3 === 0 ? 'Wrong amount: 100% of it_' : 'The goods never came.',
    }),
  )

  beforeEach(async () => {
    await keep(cases)
    for (const number of [2, 3, 13]) await claimedBy('sso:me', idOf(number))
    await claimedBy('sso:other', idOf(4))
    const { commandId: command_id } = await claimedBy('sso:other', idOf(7))
    const db = await store()
    const watches = [4, 12, 15, 16].map((number) => ({ actor: ME.actor, case_id: idOf(number), command_id }))
    await db
      .insertInto('case_watch')
      .values(watches.map((watch) => ({ ...watch, seen_holder: '', seen_notes: 0 })))
      .execute()
    const changed = { changed_by: 'sso:me', changed_by_name: 'Me', changed_at: minute(0) }
    await db
      .insertInto('case_category')
      .values({ id: 'late', name: 'Late', name_key: 'late', ...changed })
      .execute()
    await db
      .insertInto('case_decision')
      .values({ case_id: idOf(6), category_id: 'late', command_id })
      .execute()
    for (const number of [2, 3, 5, 14]) await written(number, ANA.toUpperCase())
    for (const number of [4, 8, 9]) await written(number, BEN, ME.userId)
    await seen(2, 1)
  })

  test('is counted as often as it is listed, whatever is chosen', async () => {
    const choices: Partial<QueueFilter>[] = [
      {},
      { list: 'ALL' },
      { list: 'RESOLVED' },
      { party: CLEO.toLowerCase() },
      { text: 'WRONG amount' },
      { age: 'older' },
      { claim: 'unassigned' },
      { claim: 'mine', age: 'three' },
      { list: 'ALL', claim: 'others', text: 'goods' },
      { turn: 'us' },
      { turn: 'party', unread: true },
      { list: 'ALL', turn: 'unknown', age: 'three' },
      { unread: true, claim: 'unassigned' },
      { assignee: 'sso:other', turn: 'party' },
      { assignee: 'sso:other', claim: 'mine' },
    ]
    for (const choice of choices) {
      const counted = await (await query(choice)).counts()
      const listed = async (count: number | null | undefined, change: Partial<QueueFilter>) =>
        expect([choice, change, count]).toEqual([choice, change, (await idsOf({ ...choice, ...change })).length])
      await listed(counted.total, {})
      for (const { id } of ages) await listed(counted.ages?.[id], { age: id })
      for (const claim of claimFilters) await listed(counted.claims?.[claim], { claim, assignee: null })
      for (const turn of turnFilters)
        await listed(counted.turns?.[turn], { turn, ...(turn === 'unknown' ? { unread: false } : {}) })
      await listed(counted.unread, { unread: true, ...(choice.turn === 'unknown' ? { turn: null } : {}) })
      for (const { actor, count } of counted.assignees ?? []) await listed(count, { claim: null, assignee: actor })
      for (const notice of notices) await listed(counted.notices?.[notice], { notice })
      for (const { id, count } of counted.categories ?? []) await listed(count, { category: id })
    }
  })

  test('counts by assignee without reading every case', async () => {
    const snooze = { case_id: idOf(3), until: null, wake_at: null, messages: 0, command_id: 'any' }
    await (await store()).insertInto('case_snooze').values(snooze).execute()
    for (const reader of [ME, { ...ME, actor: 'sso:other' }, { ...ME, userId: ANA }, { ...ME, seesClaims: false }]) {
      const open = await (await query({}, reader)).counts()
      for (const claim of [null, ...claimFilters]) {
        const cases = await query({ claim }, reader)
        const { total, claims } = await cases.counts()
        expect(await cases.claimCounts(open.total)).toMatchObject({ total, claims })
      }
    }
    expect((await (await query()).counts()).claims?.snoozed).toBe(1)
  })

  test('lists the cases around one in their order', async () => {
    for (const choice of [{}, { claim: 'unassigned' }, { turn: 'unknown' }] as const) {
      const all = await idsOf(choice)
      for (const [at, id] of all.entries()) {
        const around = await (await query(choice)).rowsAround(id.toUpperCase(), 3, 7)
        const from = Math.max(0, at - 3)
        expect(around.map((one) => one.id)).toEqual(all.slice(from, from + 7))
      }
    }
  })

  test('by assignee is an open case, and none in which the person is a party', async () => {
    expect(await idsOf({ list: 'ALL', claim: 'mine' })).toEqual(
      [2, 3, 13].map(idOf).toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))),
    )
    const unassigned = await idsOf({ list: 'ALL', claim: 'unassigned' })
    expect(unassigned).not.toContain(idOf(1))
    expect(unassigned).not.toContain(idOf(12))
    expect(unassigned).not.toContain(idOf(4))
  })

  const timeOf = (id: string) => `${cases.find((one) => one.id === id)?.createdAt} ${id}`

  test('by assignee is nothing for a person from whom the assignees are hidden', async () => {
    const reader = { ...ME, seesClaims: false }
    for (const claim of claimFilters) expect(await (await query({ claim }, reader)).rows(0, 100)).toEqual([])
    expect((await (await query({}, reader)).counts()).claims).toBeNull()
  })

  test('by turn goes by the last message by a person', async () => {
    expect((await idsOf({ list: 'ALL', turn: 'us' })).toSorted()).toEqual([2, 3, 5, 14].map(idOf))
    expect((await idsOf({ list: 'ALL', turn: 'party' })).toSorted()).toEqual([4, 8, 9].map(idOf))
    await written(10)
    expect(await idsOf({ turn: 'us' })).toContain(idOf(10))
  })

  test('by turn stays when an older message comes later', async () => {
    await written(4, ME.userId)
    const older = { id: 'older', senderUserId: BEN, isSystemMessage: false, body: 'Late.' }
    await rememberMessages(await store(), idOf(4), [{ ...older, createdAt: '2026-07-01T10:00:00Z' }])
    expect(await idsOf({ turn: 'party' })).toContain(idOf(4))
  })

  test('by turn is not known from a part of the messages', async () => {
    const part = { id: 'part', senderUserId: BEN, isSystemMessage: false, body: 'Part.' }
    await rememberMessages(await store(), idOf(10), [{ ...part, createdAt: '2026-07-02T11:00:00Z' }])
    expect(await idsOf({ turn: 'unknown' })).toContain(idOf(10))
    expect(await idsOf({ unread: true })).not.toContain(idOf(10))
  })

  test('by turn never read is not known, and none is lost', async () => {
    const { turns } = await (await query()).counts()
    const ofOthers = cases.filter((one) => one.status === 'OPEN' && one.counterpartyUserId === BEN)
    expect(turns).toEqual({ us: 4, party: 3, unknown: ofOthers.length - 7 })
    expect(await idsOf({ turn: 'unknown' })).not.toContain(idOf(2))
  })

  test('is unread until the person has seen what others wrote', async () => {
    expect((await idsOf({ unread: true })).toSorted()).toEqual([3, 4, 5, 8, 9, 14].map(idOf))
    await seen(4, 5)
    expect(await idsOf({ unread: true })).not.toContain(idOf(4))
  })

  test('by turn or unread is nothing for whom messages are hidden', async () => {
    const reader = { ...ME, seesClaims: false }
    for (const choice of [{ unread: true }, ...turnFilters.map((turn) => ({ turn }))]) {
      expect(await (await query(choice, reader)).rows(0, 100)).toEqual([])
    }
    expect(await (await query({ assignee: 'sso:other' }, reader)).rows(0, 100)).toEqual([])
    expect(await (await query({}, reader)).counts()).toMatchObject({ turns: null, unread: null, assignees: null })
  })

  test('by a colleague names who has which cases', async () => {
    expect((await idsOf({ assignee: 'sso:other' })).toSorted()).toEqual([4, 7].map(idOf))
    expect((await (await query()).counts()).assignees).toEqual([
      { actor: 'sso:me', name: 'sso:me@example.com', count: 3, awayUntil: null },
      { actor: 'sso:other', name: 'sso:other@example.com', count: 2, awayUntil: null },
    ])
  })

  test('names a chosen colleague without cases', async () => {
    const known = { actor: 'sso:idle', name: 'idle@example.com', known_at: '2026-07-01T10:00:00.000Z' }
    await (await store()).insertInto('case_candidate').values(known).execute()
    expect((await (await query({ assignee: 'sso:idle' })).counts()).assignees).toContainEqual({
      actor: 'sso:idle',
      name: 'idle@example.com',
      count: 0,
      awayUntil: null,
    })
    expect((await (await query({ assignee: 'sso:nobody' })).counts()).assignees).toHaveLength(2)
  })

  test('is read again first where it was never read', async () => {
    for (const number of [60, 61, 62]) await keep([found(number)])
    await written(61, ANA)
    const stale = (await (await query({ turn: 'us' })).leastRecentlyRead()).map(({ id }) => id)
    expect(stale).toEqual(expect.arrayContaining([idOf(60), idOf(61), idOf(62)]))
    expect(stale).not.toContain(idOf(1))
    await keep(Array.from({ length: 50 }, (_, at) => found(at + 100)))
    const later = (await (await query({ turn: 'us' })).leastRecentlyRead()).map(({ id }) => id)
    expect([later.length, later.includes(idOf(61))]).toEqual([50, false])
  })

  test('by text is found as it is written, signs that SQL knows among it, in capitals or small letters', async () => {
    expect(await idsOf({ text: '100% of IT_' })).toEqual(await idsOf({ text: 'Wrong amount' }))
    expect(await idsOf({ text: '%' })).toEqual(await idsOf({ text: 'wrong' }))
    expect(await idsOf({ text: 'w_ong' })).toEqual([])
  })

  test('of what is shown some are looked for again, and later ones are counted', async () => {
    const db = await store()
    const { arrival } = await latestInIndex(db)
    const unassigned = await query({ claim: 'unassigned' })
    expect((await unassigned.among([idOf(2), idOf(5)])).map(({ id }) => id)).toEqual([idOf(5)])
    expect(await unassigned.arrivedAfter(arrival)).toBe(0)
    await keep([found(50), found(51, RESOLVED), found(5, { reason: 'Another one.' })], minute(1))
    expect(await unassigned.arrivedAfter(arrival)).toBe(1)
  })
})
