import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { insertDraft } from '#lib/commands/store.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { recordReading, recordSeen, rememberMessages } from '#lib/disputes/unread/thread-table.ts'
import { migrations } from '#lib/store/migrations.ts'
import { store } from '#lib/store/store.ts'
import { ANA, BEN, caseOf, idOf, ME } from '#lib/testing/listed-cases.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { countByStatus, dropUnseenSince, indexCases } from './case-index.ts'
import { CaseQuery } from './case-index-query.ts'
import { everyOpenCase, type QueueFilter } from './queue.ts'

const READER = { userId: ME, actor: 'sso:me', seesClaims: true, seesAmounts: true }
const NOW = Date.parse('2026-07-10T00:00:00.000Z')
const NOW_TEXT = new Date(NOW).toISOString()
const CLEO = '00000000-0000-4000-8000-00000000001c'
const OVER = '2026-07-09T00:00:00.0000000'

const keep = async (...cases: readonly ThreadCase[]) => indexCases(await store(), cases, '2026-07-09T20:00:00.000Z')
const day = (number: number, of: number) => caseOf(number, { createdAt: `2026-07-0${of}T00:00:00.0000000Z` })
const query = async (filter: Partial<QueueFilter> = {}, reader = READER) =>
  new CaseQuery(await store(), { ...everyOpenCase, claim: 'unassigned', ...filter }, reader, NOW)
const next = async (filter: Partial<QueueFilter> = {}, limit = 20) => (await query(filter)).mostUrgent(limit, OVER)
const numbers = async (filter: Partial<QueueFilter> = {}) => (await next(filter)).map(({ id }) => Number(id.slice(-12)))

/** The message of an author, by its place among all. */
const message = (at: number, senderUserId: string) => ({
  ...{ id: `m${at}`, senderUserId, isSystemMessage: false, body: 'Some words.' },
  createdAt: `2026-07-02T10:00:00.${String(at).padStart(7, '0')}Z`,
})
let messages = 0
async function written(number: number, ...authors: readonly string[]): Promise<void> {
  const db = await store()
  const thread = authors.map((author, at) => message(messages + at + 1, author))
  messages += authors.length
  await rememberMessages(db, idOf(number), thread)
  await recordReading(db, idOf(number))
}

beforeEach(async () => {
  messages = 0
  await freshConsole()
})

test('the next case is over target, then ours to answer, then unread, then oldest', async () => {
  const young = (number: number) => caseOf(number, { createdAt: `2026-07-09T1${number}:00:00.0000000Z` })
  await keep(day(1, 1), day(2, 2), day(3, 3), young(4), young(5), young(6), young(7))
  await written(1, ANA, ME)
  await written(2, ANA)
  await written(4, BEN, ME)
  await written(5, BEN)
  await written(6)
  await written(7, ANA)
  await recordSeen(await store(), READER.actor, idOf(5), message(6, BEN))
  expect(await numbers()).toEqual([2, 1, 3, 7, 5, 6, 4])
  expect(await numbers({ turn: 'us' })).toEqual([2, 7, 5, 6])
  expect((await next()).map(({ over, turn, unread, silent }) => [over, turn, unread, silent]).slice(2, 6)).toEqual([
    [true, 'unknown', false, true],
    [false, 'us', true, false],
    [false, 'us', false, false],
    [false, 'us', false, true],
  ])
})

test('a case with messages not read whole counts as unknown', async () => {
  await keep(day(1, 1), day(2, 2))
  await rememberMessages(await store(), idOf(2), [message(1, ANA)])
  expect((await next()).map(({ id, turn }) => [id, turn])).toEqual([
    [idOf(1), 'unknown'],
    [idOf(2), 'unknown'],
  ])
})

test('the next case is none of a party’s, of an assignee, or snoozed', async () => {
  await keep(
    caseOf(1, { counterpartyUserId: ME.toUpperCase() }),
    caseOf(2),
    caseOf(3),
    caseOf(4),
    caseOf(5, { status: 'RESOLVED' }),
  )
  const { commandId } = await claimedBy('sso:other', idOf(2))
  const snooze = { case_id: idOf(3), until: '2026-07-11T00:00:00.000Z', messages: 0, command_id: commandId }
  await (await store()).insertInto('case_snooze').values(snooze).execute()
  expect(await numbers()).toEqual([4])
  expect(await (await query({ claim: 'unassigned' }, { ...READER, seesClaims: false })).mostUrgent(9, OVER)).toEqual([])
})

test('the next case is none with a conflict of interest', async () => {
  await keep(
    caseOf(1, { counterpartyUserId: CLEO.toUpperCase() }),
    caseOf(2, { raisedByUserId: CLEO }),
    caseOf(3, { referenceId: 'DEP-3' }),
    caseOf(4),
  )
  const db = await store()
  const confirmed = { id: 'confirmed', kind: 'deposit.confirm', target: 'dep-3', params: '{}', facts: '{}' }
  await insertDraft(db, { ...confirmed, actor: 'sso:me', actorName: 'Me' })
  const card = { id: 'card', last4: '1111', user_id: CLEO, card_type: 1, card_type_name: 'Debit', printed_name: 'CLEO' }
  const issue = {
    issuer: 'sso:me',
    issuer_name: 'Me',
    issued_at: NOW_TEXT,
    came: 'issued' as const,
    recorded_by: 'sso:me',
  }
  await db
    .insertInto('issued_card')
    .values({ ...card, ...issue, command_id: 'confirmed', recorded_at: NOW_TEXT })
    .execute()
  expect(await numbers()).toEqual([3, 4])
  await db.updateTable('command').set({ state: 'applied' }).where('id', '=', 'confirmed').execute()
  expect(await numbers()).toEqual([4])
  const other = await query({}, { ...READER, actor: 'sso:other' })
  expect(await other.mostUrgent(9, OVER)).toHaveLength(4)
})

test('the next case is found behind thousands of others', async () => {
  const times = Array.from({ length: 2_500 }, (_, at) =>
    caseOf(at + 1, { createdAt: `2026-07-01T10:00:00.${String(9_000_000 - at)}Z` }),
  )
  await keep(...times)
  const [oldest = ''] = (await next({}, 1)).map(({ id }) => id)
  expect(oldest).toBe(idOf(2_500))
  await claimedBy('sso:other', oldest)
  expect((await next({}, 1)).map(({ id }) => id)).toEqual([idOf(2_499)])
})

test('counts open cases again after every change', async () => {
  await keep(caseOf(1), caseOf(2))
  const open = async () => (await countByStatus(await store())).get('OPEN')
  expect([await open(), await open()]).toEqual([2, 2])
  await keep(caseOf(2, { status: 'RESOLVED' }), caseOf(3), caseOf(4))
  expect(await open()).toBe(3)
  await keep(caseOf(3), caseOf(4))
  expect(await open()).toBe(3)
  await indexCases(await store(), [caseOf(1), caseOf(2)], '2026-07-09T21:00:00.000Z')
  await dropUnseenSince(await store(), '2026-07-09T21:00:00.000Z', [])
  expect(Object.fromEntries(await countByStatus(await store()))).toEqual({ OPEN: 2, RESOLVED: 0 })
})

test('counts the cases that an earlier version kept', async () => {
  await keep(caseOf(1), caseOf(2), caseOf(3, { status: 'RESOLVED' }))
  const db = await store()
  await sql`DROP TABLE case_count`.execute(db)
  await sql`DROP FUNCTION count_cases CASCADE`.execute(db)
  await migrations['0027-case-counts']?.up(db)
  await keep(caseOf(4))
  expect(Object.fromEntries(await countByStatus(db))).toEqual({ OPEN: 3, RESOLVED: 1 })
})
