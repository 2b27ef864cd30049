import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { countCasesWith } from './case-counts-table.ts'
import { rememberCases } from './cases-seen-table.ts'

const ANA = '00000000-0000-4000-8000-00000000001A'
const BEN = '00000000-0000-4000-8000-00000000001B'
const idOf = (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

beforeEach(async () => {
  await freshConsole()
})

test('all cases of a party are counted by status and outcome, on either side, however many, without the one asked from', async () => {
  const outcomes = [...Array(70).fill('REFUNDED'), ...Array(30).fill('RELEASED'), ...Array(20).fill(null)]
  const cases = outcomes.map((outcome, number) => ({
    id: idOf(number),
    reference: `reference ${number}`,
    raised_by: number % 2 === 0 ? ANA.toLowerCase() : BEN,
    counterparty: number % 2 === 0 ? BEN : ANA,
    status: outcome === null ? 'OPEN' : 'RESOLVED',
    created_at: '2026-07-01T10:00:00.0000000Z',
    resolved_at: null,
    outcome,
    resolved_by: null,
  }))
  await rememberCases(await store(), cases, '2026-07-03T00:00:00.000Z')
  const counts = await countCasesWith(await store(), ANA, idOf(119).toUpperCase())
  expect(counts.toSorted((one, other) => other.count - one.count)).toEqual([
    { status: 'RESOLVED', outcome: 'REFUNDED', count: 70 },
    { status: 'RESOLVED', outcome: 'RELEASED', count: 30 },
    { status: 'OPEN', outcome: null, count: 19 },
  ])
  expect(await countCasesWith(await store(), '00000000-0000-4000-8000-0000000000ff', idOf(0))).toEqual([])
})
