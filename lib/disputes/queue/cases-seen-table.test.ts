import { beforeEach, describe, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { casesWith, rememberCases, type SeenCase } from './cases-seen-table.ts'

const ANA = '00000000-0000-4000-8000-00000000001A'
const BEN = '00000000-0000-4000-8000-00000000001B'
const CLEO = '00000000-0000-4000-8000-00000000001C'

const idOf = (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const seen = (number: number, change: Partial<SeenCase> = {}): SeenCase => ({
  id: idOf(number),
  reference: `reference ${number}`,
  raised_by: ANA,
  counterparty: BEN,
  status: 'OPEN',
  created_at: `2026-07-01T10:00:00.${String(number).padStart(7, '0')}Z`,
  resolved_at: null,
  outcome: null,
  resolved_by: null,
  ...change,
})

const RESOLVED = { status: 'RESOLVED', outcome: 'REFUNDED', resolved_at: '2026-07-02T10:00:00.0000000Z' }
const minute = (count: number): string => new Date(Date.UTC(2026, 6, 3, 0, count)).toISOString()

const remember = async (cases: readonly SeenCase[], at = minute(0)) => rememberCases(await store(), cases, at)
const of = async (party: string, except = idOf(0), limit = 50) => casesWith(await store(), party, { except, limit })

beforeEach(async () => {
  await freshConsole()
})

describe('cases of a party', () => {
  test('come newest first, whichever side they were on, without the one that is asked from', async () => {
    await remember([seen(1), seen(2, { raised_by: CLEO, counterparty: ANA }), seen(3), seen(4, { raised_by: CLEO })])
    expect((await of(ANA, idOf(3))).map(({ id }) => id)).toEqual([idOf(2), idOf(1)])
    expect((await of(ANA, idOf(9), 2)).map(({ id }) => id)).toEqual([idOf(3), idOf(2)])
    expect(await of('00000000-0000-4000-8000-0000000000ff')).toEqual([])
  })

  test('are found by an id in capitals and small letters', async () => {
    await remember([seen(1)])
    expect(await of(ANA.toLowerCase(), idOf(2))).toHaveLength(1)
    expect(await of(ANA, idOf(1).toUpperCase())).toEqual([])
  })
})

describe('a case that is seen again', () => {
  test('is one case, as it was read last, with the outcome word for word', async () => {
    await remember([seen(1)])
    await remember([seen(1, { ...RESOLVED, id: idOf(1).toUpperCase() })], minute(1))
    expect(await of(ANA)).toMatchObject([{ ...RESOLVED, first_seen_at: minute(0), last_seen_at: minute(1) }])
  })

  test('stays as it is when an older reading comes later', async () => {
    await remember([seen(1, RESOLVED)], minute(5))
    await remember([seen(1)], minute(4))
    expect(await of(ANA)).toMatchObject([{ ...RESOLVED, last_seen_at: minute(5) }])
  })

  test('is written again only after a while when nothing changed', async () => {
    await remember([seen(1)])
    await remember([seen(1)], minute(9))
    expect((await of(ANA))[0]?.last_seen_at).toBe(minute(0))
    await remember([seen(1)], minute(11))
    expect((await of(ANA))[0]?.last_seen_at).toBe(minute(11))
  })
})

test('a whole sweep is kept at once, and two of them at the same time do not stop each other', async () => {
  const cases = Array.from({ length: 1_200 }, (_, at) => seen(at + 1))
  await Promise.all([remember(cases, minute(1)), remember(cases.toReversed(), minute(2))])
  expect(await of(BEN, idOf(0), 2_000)).toHaveLength(1_200)
})

test('the same case twice in one reading is kept once', async () => {
  await remember([seen(1), seen(1, { ...RESOLVED, id: idOf(1).toUpperCase() })])
  expect(await of(ANA)).toHaveLength(1)
})
