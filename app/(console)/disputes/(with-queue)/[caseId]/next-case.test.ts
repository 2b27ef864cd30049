import { beforeEach, describe, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { IndexState, QueueRow } from '#lib/disputes/queue/queue.ts'
import { queueOf } from '#lib/testing/queue-of.ts'
import { casesAfter, nextCaseOf } from './next-case.ts'

const mocks = vi.hoisted(() => ({ assign: vi.fn(), queue: vi.fn() }))
vi.mock('../../next-assignment.ts', () => ({ assignNext: mocks.assign }))
vi.mock('../../use-current-queue.ts', () => ({ readQueue: mocks.queue }))

const ME = '00000000-0000-4000-8000-000000000002'
const WHO = { userId: ME, query: '?turn=us' }

const row = (id: string, hour: number, change: Partial<QueueRow> = {}): QueueRow => ({
  id,
  reference: id,
  status: 'OPEN',
  createdAt: `2026-11-20T${String(hour).padStart(2, '0')}:00:00.0000000Z`,
  resolvedAt: null,
  reason: '',
  raisedBy: 'ana',
  against: 'ben',
  outcome: null,
  category: null,
  answerBy: null,
  claim: null,
  thread: null,
  notices: [],
  ...change,
})
const mine = { claim: { name: 'me', mine: true } } as const

const current = { id: 'c', createdAt: row('c', 3).createdAt }
const { index } = queueOf([])
const given = (rows: readonly QueueRow[], change: Partial<IndexState> = {}) =>
  mocks.queue.mockImplementation(async (address: string) => {
    const wanted = new URLSearchParams(address).get('claim')
    const found = rows.filter(({ claim }) => (wanted === 'unassigned' ? claim === null : claim === mine.claim))
    return { ok: true, value: { rows: found, index: { ...index, ...change } } }
  })
beforeEach(() => {
  mocks.assign.mockReset()
  mocks.queue.mockReset()
})

describe('the cases that one can go on with', () => {
  test('are those after the current one first, then those before it', () => {
    const rows = [row('f', 6), row('a', 1), row('e', 5, mine), row('b', 2, mine), row('c', 3)]
    expect(casesAfter(rows, current, ME).map(({ id }) => id)).toEqual(['e', 'f', 'a', 'b'])
  })

  test('hold none that is resolved, or to which one is a party', () => {
    const others = [row('x', 4, { status: 'RESOLVED' }), row('y', 5, { against: ME.toUpperCase() })]
    expect(casesAfter(others, current, ME)).toEqual([])
  })
})

describe('the next case', () => {
  test('is the operator’s own, and nothing is assigned', async () => {
    given([row('d', 4, mine), row('e', 5)])
    expect(await nextCaseOf('all', current, WHO)).toEqual({ caseId: 'd', chosen: null })
    expect(mocks.queue.mock.calls).toEqual([['after=c&claim=mine']])
    expect(mocks.assign).not.toHaveBeenCalled()
  })

  test('is the one that needs a person most, within the queue’s filter', async () => {
    const next = { caseId: 'e', chosen: 'over target' }
    mocks.assign.mockResolvedValue(next)
    expect(await nextCaseOf('unassigned', current, WHO)).toEqual(next)
    expect(mocks.queue).not.toHaveBeenCalled()
    given([row('c', 3, mine)])
    expect(await nextCaseOf('all', current, WHO)).toEqual(next)
    expect(mocks.assign.mock.calls).toEqual([
      ['?turn=us', false],
      ['?turn=us', false],
    ])
  })

  test('is never an unassigned one among the operator’s own', async () => {
    given([row('e', 5)], { completeAt: new Date().toISOString() })
    expect(await nextCaseOf('mine', current, WHO)).toEqual({ why: 'You have no more open cases.' })
    expect(mocks.assign).not.toHaveBeenCalled()
  })

  test('is none, with why, where it cannot be known', async () => {
    given([], { completeAt: null, reading: { pages: 1, of: 4 } })
    expect(await nextCaseOf('all', current, WHO)).toEqual({ why: 'Reading the list: 1 of 4 pages.' })
    given([], { completeAt: '2026-07-02T12:00:00.000Z', reading: { pages: 1, of: 4 } })
    expect(await nextCaseOf('mine', current, WHO)).toEqual({ why: 'Reading the list: 1 of 4 pages.' })
    const problem = problemOf('unreachable')
    const why = 'The list could not be read fully: The service cannot be reached.'
    given([], { completeAt: null, shortfall: 'problem', problem })
    expect(await nextCaseOf('all', current, WHO)).toEqual({ why })
    given([], { shortfall: 'problem', problem })
    expect(await nextCaseOf('mine', current, WHO)).toEqual({ why })
    mocks.queue.mockResolvedValue({ ok: false, problem })
    expect(await nextCaseOf('all', current, WHO)).toHaveProperty('why')
    mocks.assign.mockResolvedValue({ why: 'No answer came.' })
    expect(await nextCaseOf('unassigned', current, WHO)).toEqual({ why: 'No answer came.' })
    mocks.assign.mockResolvedValue({ awayUntil: '2026-11-30' })
    expect(await nextCaseOf('unassigned', current, WHO)).toEqual({
      why: 'You are away until 2026-11-30, so none was assigned.',
    })
  })
})
