import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Shortfall } from './queue.ts'

const AT_ONCE = 3
const READINGS_MAX = 2

export interface Sweep {
  readonly beganAt: string
  readonly cases: number
  readonly total: number | null
  readonly unreadable: number
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
}

export type ReadCasePage = (page: number) => Promise<Result<CasePage>>

export interface FirstPage {
  readonly page: CasePage
  readonly readAt: string
}

/** False if another process took the sweep over. */
export type KeepCasePage = (page: number, found: CasePage, readAt: string) => Promise<boolean>

/**
 * Complete when it found as many distinct cases as the service last reported. New cases push others onto later pages,
 * so a second pass looks for missing ones. Null if {@link KeepCasePage} ended it.
 */
export async function sweepCases(
  readPage: ReadCasePage,
  keepPage: KeepCasePage,
  first: FirstPage | null = null,
): Promise<Sweep | null> {
  let tally = new Tally(first?.readAt)
  for (let readings = 0; readings < READINGS_MAX; readings += 1) {
    if (tally.shrank || tally.unreadable > 0) tally = new Tally()
    const end = await readPages(tally, readPage, keepPage, readings === 0 ? first : null)
    if (end === 'taken over') return null
    if (end !== null) return tally.ended('problem', end)
    if (tally.isWhole()) return tally.ended(null)
  }
  return tally.ended('moved')
}

async function readPages(
  tally: Tally,
  readPage: ReadCasePage,
  keepPage: KeepCasePage,
  first: FirstPage | null,
): Promise<Problem | 'taken over' | null> {
  const again = tally.total !== null
  let next = 1
  let stopped: Problem | 'taken over' | null = null
  const isOver = () => stopped !== null || (again && tally.unreadable === 0 && tally.isWhole())
  const keep = async (page: number, found: CasePage, readAt: string) => {
    tally.add(page, found)
    if (!(await keepPage(page, found, readAt))) stopped = 'taken over'
  }
  const readNext = async () => {
    const page = next
    next += 1
    const readAt = new Date().toISOString()
    const result = await readPage(page)
    if (result.ok) await keep(page, result.value, readAt)
    else stopped ??= result.problem
  }
  if (first === null) await readNext()
  else await keep(next++, first.page, first.readAt)
  const readOn = async () => {
    while (next <= tally.pages && !isOver()) await readNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return stopped
}

class Tally {
  total: number | null = null
  /** The service reported fewer cases than before, so some moved to earlier pages unseen. */
  shrank = false
  readonly #beganAt: string
  readonly #met = new Set<string>()
  readonly #unreadable = new Map<number, number>()
  #pagesMax = Number.POSITIVE_INFINITY

  constructor(beganAt = new Date().toISOString()) {
    this.#beganAt = beganAt
  }

  add(page: number, { cases, totalCount }: CasePage): void {
    this.shrank ||= this.total !== null && totalCount < this.total
    this.total = totalCount
    for (const row of cases) if (row.readable) this.#met.add(row.value.id.toLowerCase())
    this.#unreadable.set(page, cases.filter(({ readable }) => !readable).length)
    // The service may report more cases than it returns.
    if (cases.length === 0) this.#pagesMax = Math.min(this.#pagesMax, page)
  }

  get pages(): number {
    return Math.min(this.#pagesMax, Math.ceil((this.total ?? 0) / PAGE_SIZE_MAX))
  }

  get unreadable(): number {
    return this.#unreadable.values().reduce((sum, count) => sum + count, 0)
  }

  isWhole(): boolean {
    return !this.shrank && this.#met.size + this.unreadable === this.total
  }

  ended(shortfall: Shortfall | null, problem: Problem | null = null): Sweep {
    const { total, unreadable } = this
    return { beganAt: this.#beganAt, cases: this.#met.size, total, unreadable, shortfall, problem }
  }
}
