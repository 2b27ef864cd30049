import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/answer.ts'
import { SWEEP_MAX_CASES } from './queue.ts'
import { sweepCases } from './sweep.ts'

const PAGE = 100

const caseOf = (id: string): ThreadCase => ({
  id,
  referenceId: `reference of ${id}`,
  raisedByUserId: 'ana',
  counterpartyUserId: 'ben',
  status: 'OPEN',
  reason: 'The goods never came.',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  createdAt: '2026-07-01T10:00:00.1234567Z',
  resolvedAt: null,
})

/** A service that lists cases newest first, and whose list moves as it is told between two pages. */
class MovingList {
  ids: string[]
  pagesRead = 0
  /** Called after each page, with how many were read so far. */
  meanwhile: (pages: number) => void = () => {}
  readonly unreadable = new Set<string>()
  #next = 0

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, at) => `old-${at}`)
  }

  readonly read = async (page: number): Promise<Result<CasePage>> => {
    const cases = this.ids
      .slice((page - 1) * PAGE, page * PAGE)
      .map((id) =>
        this.unreadable.has(id) ? { readable: false as const } : { readable: true as const, value: caseOf(id) },
      )
    const totalCount = this.ids.length
    this.pagesRead += 1
    this.meanwhile(this.pagesRead)
    return { ok: true, value: { cases: cases as CasePage['cases'], totalCount }, serviceTime: null }
  }

  open(): void {
    this.ids.unshift(`new-${this.#next}`)
    this.#next += 1
  }

  resolve(at: number): void {
    this.ids.splice(at % Math.max(1, this.ids.length), 1)
  }
}

const idsOf = ({ cases }: { cases: readonly ThreadCase[] }) => cases.map(({ id }) => id)

test.each([0, 1, 99, 100, 101, 250, SWEEP_MAX_CASES])(
  'a list of %i cases that stands still is read once, whole',
  async (count) => {
    const list = new MovingList(count)
    const sweep = await sweepCases(list.read)
    expect(sweep).toMatchObject({ shortfall: null, problem: null, total: count, unreadable: 0 })
    expect(idsOf(sweep)).toEqual(list.ids)
    expect(list.pagesRead).toBe(Math.max(1, Math.ceil(count / PAGE)))
  },
)

test('a longer list is not read to its end, and says so', async () => {
  const list = new MovingList(SWEEP_MAX_CASES + 1)
  expect(await sweepCases(list.read)).toMatchObject({ shortfall: 'too-many', total: SWEEP_MAX_CASES + 1 })
  expect(list.pagesRead).toBe(1)
})

test('a case that was pushed onto the next page by a new one is noticed, and the list is read again', async () => {
  const list = new MovingList(150)
  list.meanwhile = (pages) => {
    if (pages !== 1) return
    list.open()
    list.resolve(120)
  }
  const sweep = await sweepCases(list.read)
  expect(list.pagesRead).toBe(4)
  expect(sweep.shortfall).toBeNull()
  expect(idsOf(sweep)).toEqual(list.ids)
})

test('a list that moves all the time is told as such after the second reading', async () => {
  const list = new MovingList(150)
  list.meanwhile = () => list.open()
  expect(await sweepCases(list.read)).toMatchObject({ shortfall: 'moved', problem: null })
  expect(list.pagesRead).toBe(4)
})

test('a page that cannot be read ends it: what came before is there, and is not called all', async () => {
  const list = new MovingList(250)
  const problem = problemOf('unreachable')
  const sweep = await sweepCases(async (page) => (page === 2 ? { ok: false, problem } : await list.read(page)))
  expect(sweep).toMatchObject({ shortfall: 'problem', problem, total: 250 })
  expect(idsOf(sweep)).toEqual(list.ids.slice(0, 100))
})

test('rows that cannot be read are counted and make the list no shorter', async () => {
  const list = new MovingList(120)
  for (const id of ['old-3', 'old-110']) list.unreadable.add(id)
  const sweep = await sweepCases(list.read)
  expect(sweep).toMatchObject({ shortfall: null, unreadable: 2, total: 120 })
  expect(sweep.cases).toHaveLength(118)
})

test('a service that promises more than it gives is not believed', async () => {
  const list = new MovingList(120)
  const sweep = await sweepCases(async (page) => {
    const result = await list.read(page)
    return result.ok ? { ...result, value: { ...result.value, totalCount: 130 } } : result
  })
  expect(sweep).toMatchObject({ shortfall: 'moved', total: 130 })
})

test('one id in capitals and small letters is one case', async () => {
  const rows = ['AB', 'ab'].map((id) => ({ readable: true as const, value: caseOf(id) }))
  const value = { cases: rows as unknown as CasePage['cases'], totalCount: 2 }
  expect(await sweepCases(async () => ({ ok: true, value, serviceTime: null }))).toMatchObject({ shortfall: 'moved' })
})

test('whatever is opened and resolved while it is read: a list told as whole misses no case that was there all along', async () => {
  const change = fc.record({ opened: fc.nat({ max: 3 }), resolved: fc.array(fc.nat({ max: 400 }), { maxLength: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 350 }), fc.array(change, { maxLength: 8 }), async (count, changes) => {
      const list = new MovingList(count)
      let there = new Set(list.ids)
      let readingBegan = 0
      const total = { pages: Math.max(1, Math.ceil(count / PAGE)) }
      list.meanwhile = (pages) => {
        const { opened = 0, resolved = [] } = changes[pages - 1] ?? {}
        for (let made = 0; made < opened; made += 1) list.open()
        for (const at of resolved) list.resolve(at)
        const now = new Set(list.ids)
        there = there.intersection(now)
      }
      const counted = async (page: number) => {
        if (page === 1) {
          there = new Set(list.ids)
          readingBegan += 1
        }
        return await list.read(page)
      }
      const sweep = await sweepCases(counted)
      const found = new Set(idsOf(sweep))
      expect(found.size).toBe(sweep.cases.length)
      if (sweep.shortfall === null) {
        expect(found.size).toBe(sweep.total)
        expect([...there].filter((id) => !found.has(id))).toEqual([])
      }
      if (changes.length === 0) expect([sweep.shortfall, list.pagesRead]).toEqual([null, total.pages])
      expect(readingBegan).toBeLessThanOrEqual(2)
    }),
    { numRuns: 500 },
  )
})
