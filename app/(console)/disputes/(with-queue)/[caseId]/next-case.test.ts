import { beforeEach, describe, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { casesAfter, nextCaseOf } from './next-case.ts'

const asked = vi.hoisted(() => ({ assign: vi.fn(), queue: vi.fn() }))
vi.mock('#components/command/command-client.ts', () => ({ sendAtOnce: asked.assign }))
vi.mock('../../use-current-queue.ts', () => ({ readQueue: asked.queue }))

const ME = '00000000-0000-4000-8000-000000000002'
const WHO = { owner: `sso:${ME}`, userId: ME }

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
const given = (rows: readonly QueueRow[], completeAt: string | null = 'now') =>
  asked.queue.mockImplementation(async (address: string) => {
    const wanted = new URLSearchParams(address).get('claim')
    const found = rows.filter(({ claim }) => (wanted === 'unassigned' ? claim === null : claim === mine.claim))
    return { ok: true, value: { rows: found, index: { completeAt } } }
  })
const answers = (...classes: string[]) => {
  for (const word of classes) asked.assign.mockResolvedValueOnce({ ok: true, command: { outcome: { class: word } } })
}
const tried = () => asked.assign.mock.calls.map(([{ params }]) => params.caseId)

beforeEach(() => {
  asked.assign.mockReset()
  asked.queue.mockReset()
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
  test('that is one’s own is opened as it is; an unassigned one is assigned first', async () => {
    given([row('d', 4, mine), row('e', 5)])
    expect(await nextCaseOf('all', current, WHO)).toEqual({ kind: 'case', caseId: 'd' })
    expect(tried()).toEqual([])
    answers('done')
    expect(await nextCaseOf('unassigned', current, WHO)).toEqual({ kind: 'case', caseId: 'e' })
    expect(tried()).toEqual(['e'])
  })

  test('is asked for after the current one, among one’s own and the unassigned', async () => {
    given([])
    await nextCaseOf('all', current, WHO)
    expect(asked.queue.mock.calls).toEqual([['after=c&claim=mine'], ['after=c&claim=unassigned']])
  })

  test('that somebody else was faster with gives way to the one after it', async () => {
    given([row('d', 4), row('e', 5), row('f', 6)])
    answers('refused')
    asked.assign.mockResolvedValueOnce({ ok: false, fields: { caseId: 'It is resolved.' }, problem: null })
    answers('done')
    expect(await nextCaseOf('all', current, WHO)).toEqual({ kind: 'case', caseId: 'f' })
    expect(tried()).toEqual(['d', 'e', 'f'])
  })

  test('is none where there is none, and not known where that cannot be told', async () => {
    given([row('c', 3)])
    expect(await nextCaseOf('all', current, WHO)).toEqual({ kind: 'none' })
    given([], null)
    expect(await nextCaseOf('all', current, WHO)).toMatchObject({ kind: 'not-known' })
    asked.queue.mockResolvedValue({ ok: false, problem: problemOf('unreachable') })
    expect(await nextCaseOf('all', current, WHO)).toMatchObject({ kind: 'not-known' })
  })

  test.each([
    ['an answer that is lost', null],
    ['an end that is not known', { ok: true, command: { outcome: { class: 'unknown' } } }],
    ['a console that refuses', { ok: false, problem: problemOf('console', { status: 503, title: 'No store' }) }],
  ])('is not looked for further after %s: two may be assigned otherwise', async (_case, reply) => {
    given([row('d', 4), row('e', 5)])
    asked.assign.mockResolvedValueOnce(reply)
    expect(await nextCaseOf('all', current, WHO)).toMatchObject({ kind: 'not-known' })
    expect(tried()).toEqual(['d'])
  })
})
