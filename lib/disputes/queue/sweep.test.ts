import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/client.ts'
import { type ReadCasePage, type Sweep, sweepCases } from './case-sweeps.ts'

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

interface Swept extends Sweep {
  /** Each case once, in small letters, in the order in which it was met. */
  readonly ids: readonly string[]
}

/** Sweeps, and keeps what came: of the latest reading where it counted anew, else of all. */
async function swept(read: ReadCasePage): Promise<Swept> {
  const readings: Set<string>[] = []
  const sweep = await sweepCases(read, async (page, { cases }) => {
    if (page === 1) readings.push(new Set())
    for (const row of cases) if (row.readable) readings.at(-1)?.add(row.value.id.toLowerCase())
    return true
  })
  if (sweep === null) throw new Error('nobody took it over')
  const latest = readings.at(-1) ?? new Set()
  const all = new Set(readings.flatMap((reading) => [...reading]))
  return { ...sweep, ids: [...(latest.size === sweep.met.size ? latest : all)] }
}

test.each([0, 1, 99, 100, 101, 250, 2_001, 50_000])(
  'a list of %i cases that stands still is read once, whole',
  async (count) => {
    const list = new MovingList(count)
    const sweep = await swept(list.read)
    expect(sweep).toMatchObject({ shortfall: null, problem: null, total: count, unreadable: 0 })
    expect(sweep.ids).toEqual(list.ids)
    expect(list.pagesRead).toBe(Math.max(1, Math.ceil(count / PAGE)))
  },
)

test('reads the list again when a case moved pages', async () => {
  const list = new MovingList(150)
  list.meanwhile = (pages) => {
    if (pages !== 1) return
    list.open()
    list.resolve(120)
  }
  const sweep = await swept(list.read)
  // The new one stands on the first page: with it, all are met.
  expect(list.pagesRead).toBe(3)
  expect(sweep.shortfall).toBeNull()
  expect(sweep.ids.toSorted()).toEqual(list.ids.toSorted())
})

test('a list that only grows is read until all of it is met, however often it grows', async () => {
  const list = new MovingList(950)
  list.meanwhile = (pages) => {
    if (pages % 3 === 0) list.open()
  }
  const sweep = await swept(list.read)
  expect(sweep).toMatchObject({ shortfall: null, total: list.ids.length })
  expect(sweep.ids.toSorted()).toEqual(list.ids.toSorted())
})

test('a list from which cases go all the time is told as moved after the second reading', async () => {
  const list = new MovingList(150)
  list.meanwhile = () => list.resolve(0)
  expect(await swept(list.read)).toMatchObject({ shortfall: 'moved', problem: null })
  expect(list.pagesRead).toBe(4)
})

test('a page that cannot be read ends it: what came before is there, and is not called all', async () => {
  const list = new MovingList(250)
  const problem = problemOf('unreachable')
  const sweep = await swept(async (page) => (page === 2 ? { ok: false, problem } : await list.read(page)))
  expect(sweep).toMatchObject({ shortfall: 'problem', problem, total: 250 })
  expect(sweep.ids).toEqual(list.ids.toSpliced(100, 100))
})

test('rows that cannot be read are counted and make the list no shorter', async () => {
  const list = new MovingList(120)
  for (const id of ['old-3', 'old-110']) list.unreadable.add(id)
  const sweep = await swept(list.read)
  expect(sweep).toMatchObject({ shortfall: null, unreadable: 2, total: 120 })
  expect(sweep.met.size).toBe(118)
})

test('a service that promises more than it gives is not believed', async () => {
  const list = new MovingList(120)
  const sweep = await swept(async (page) => {
    const result = await list.read(page)
    return result.ok ? { ...result, value: { ...result.value, totalCount: 130 } } : result
  })
  expect(sweep).toMatchObject({ shortfall: 'moved', total: 130 })
})

test('one id in capitals and small letters is one case', async () => {
  const rows = ['AB', 'ab'].map((id) => ({ readable: true as const, value: caseOf(id) }))
  const value = { cases: rows as unknown as CasePage['cases'], totalCount: 2 }
  expect(await swept(async () => ({ ok: true, value, serviceTime: null }))).toMatchObject({ shortfall: 'moved' })
})

test('misses no case that existed throughout a complete sweep', async () => {
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
      const sweep = await swept(counted)
      const found = new Set(sweep.ids)
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

test('no more than three pages are asked for at a time', async () => {
  const list = new MovingList(1_200)
  let [running, most] = [0, 0]
  await swept(async (page) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((done) => setTimeout(done, 1))
    running -= 1
    return await list.read(page)
  })
  expect([most, list.pagesRead]).toEqual([3, 12])
})

test('a first page that was read before is not read again, and the sweep began with it', async () => {
  const list = new MovingList(150)
  const first = await list.read(1)
  if (!first.ok) throw new Error('the list is at hand')
  const readAt = '2026-07-02T10:00:00.000Z'
  const kept: [number, string][] = []
  const keep = async (page: number, _found: CasePage, at: string) => kept.push([page, at]) > 0
  expect(await sweepCases(list.read, keep, { page: first.value, readAt })).toMatchObject({
    shortfall: null,
    beganAt: readAt,
  })
  expect(list.pagesRead).toBe(2)
  expect(kept[0]).toEqual([1, readAt])
})

test('a sweep that somebody else has taken over ends at once', async () => {
  const list = new MovingList(950)
  expect(await sweepCases(list.read, async () => false)).toBeNull()
  expect(list.pagesRead).toBe(1)
})
