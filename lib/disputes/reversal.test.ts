import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { matchReversal, reversalIn } from './decision.ts'

const [ANA, BEN] = ['00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012']
const HISTORY = `GET /api/v1/Transaction/account/${ANA}?page=1&pageSize=100`
const disputed = { referenceId: 'P2P~1', fromAccountId: ANA, toAccountId: BEN, debit: '20.25', credit: '20.00000000' }

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await signedIn(0)
})
afterAll(() => service.stop())

const row = (referenceId: string, change: Readonly<Record<string, unknown>> = {}) => ({
  transactionId: `row of ${referenceId}`,
  referenceId,
  fromAccountId: BEN,
  toAccountId: ANA.toUpperCase(),
  credit: '20.25000000',
  debit: '20.25000000',
  // The interface names no type for it.
  transactionType: 'SOMETHING',
  state: 'PROCESSED',
  createdAt: '2026-11-20T10:00:00.0000000Z',
  ...change,
})

const history = (...transactions: unknown[]) => ok({ transactions, totalCount: transactions.length })

test.each<[what: string, data: unknown, rows: readonly unknown[], found: string | null]>([
  ['in a field of any name', { zork: 'X~9' }, [row('X~9')], 'X~9'],
  ['at any depth', { a: [{ b: { c: 'X~9' } }], referenceId: 'P2P~1' }, [row('X~9')], 'X~9'],
  ['the answer itself', 'X~9', [row('X~9')], 'X~9'],
  ['named like one, and in no history', { reversalReferenceId: 'X~9' }, [row('X~8')], null],
  ['of another amount', { x: 'X~9' }, [row('X~9', { credit: '20.00000000' })], null],
  ['from somebody else', { x: 'X~9' }, [row('X~9', { fromAccountId: ANA })], null],
  ['failed', { x: 'X~9' }, [row('X~9', { state: 'FAIL' })], null],
  ['the disputed transaction itself', { x: 'P2P~1' }, [row('P2P~1')], null],
  ['one of two that fit', { x: 'X~9', y: 'X~8' }, [row('X~9'), row('X~8')], null],
  [
    'not in the answer, though the history has one',
    { x: 'Done.' },
    [row('X~9', { transactionType: 'REVERSAL' })],
    null,
  ],
  ['no answer that can be read', null, [row('X~9')], null],
])('the reversing reference, %s', async (_what, data, rows, found) => {
  service.on(HISTORY, history(...rows))
  expect(await reversalIn(session, disputed, data)).toBe(found)
})

test('a history that cannot be read proves nothing', async () => {
  service.on(HISTORY, refused(500, 'core::fault'))
  expect(await reversalIn(session, disputed, { reversalReferenceId: 'X~9' })).toBeNull()
})

const RESOLVED_AT = '2026-11-20T10:00:30.0000000Z'
const matched = { reference: 'X~9', matched: true }

test.each<[what: string, outcome: string | null, resolvedAt: string | null, rows: readonly unknown[], found: unknown]>([
  ['the only one that fits', 'REFUNDED', RESOLVED_AT, [row('X~9'), row('X~7', { credit: '1.00000000' })], matched],
  ['without an outcome', null, RESOLVED_AT, [row('X~9')], matched],
  ['at another time', 'REFUNDED', '2026-11-20T10:02:00.0000000Z', [row('X~9')], 'not-confirmed'],
  ['one of two that fit', 'REFUNDED', RESOLVED_AT, [row('X~9'), row('X~8')], 'not-confirmed'],
  ['failed', 'REFUNDED', RESOLVED_AT, [row('X~9', { state: 'FAIL' })], 'not-confirmed'],
  ['without a time', 'REFUNDED', null, [row('X~9')], 'not-confirmed'],
  ['of a release', 'RELEASED', RESOLVED_AT, [row('X~9')], 'none'],
  ['of a release to the recipient', 'Released to recipient', RESOLVED_AT, [row('X~9')], 'none'],
  ['of a release as the interface spells it', 'releaseToRecipient', RESOLVED_AT, [row('X~9')], 'none'],
  ['of a release to the sender', 'RELEASED_TO_SENDER', RESOLVED_AT, [row('X~9')], matched],
  ['of an escrow released back', 'ESCROW_RELEASED_BACK', RESOLVED_AT, [row('X~9')], matched],
])('the matched reversal, %s', async (_what, resolutionOutcome, resolvedAt, rows, found) => {
  service.on(HISTORY, history(...rows))
  expect(await matchReversal(session, disputed, { resolutionOutcome, resolvedAt })).toEqual(found)
})

const laterRows = Array.from({ length: 100 }, (_, at) =>
  row(`P2P~${at + 100}`, { fromAccountId: ANA, createdAt: '2026-11-20T11:00:00.0000000Z' }),
)
const pageOf = (page: number) => HISTORY.replace('page=1', `page=${page}`)

test('matches a reversal behind a hundred newer rows', async () => {
  service.on(HISTORY, ok({ transactions: laterRows, totalCount: 102 }))
  service.on(pageOf(2), ok({ transactions: [row('X~9')], totalCount: 102 }))
  expect(await matchReversal(session, disputed, { resolutionOutcome: null, resolvedAt: RESOLVED_AT })).toEqual(matched)
})

test('confirms no reversal while part of the time is unread', async () => {
  service.on(HISTORY, ok({ transactions: [row('X~9'), ...laterRows.slice(1)], totalCount: 101 }))
  service.on(pageOf(2), refused(500, 'core::fault'))
  expect(await matchReversal(session, disputed, { resolutionOutcome: null, resolvedAt: RESOLVED_AT })).toBe(
    'not-confirmed',
  )
})
