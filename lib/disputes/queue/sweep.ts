import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Shortfall } from './queue.ts'

/** So many pages are asked for at a time: the service has others to serve. */
const AT_ONCE = 3
/** Pages that moved under the first reading are read once more. */
const READINGS_MAX = 2

/** What one sweep came to. */
export interface Sweep {
  /** ISO 8601, by this machine: what it met was in the list then, or came later. */
  readonly beganAt: string
  /** Distinct cases that it met. */
  readonly cases: number
  /** As the service reported it last; null when no page came. */
  readonly total: number | null
  /** Rows that do not fit the contract. */
  readonly unreadable: number
  /** Why it is not all there is; null when it is. */
  readonly shortfall: Shortfall | null
  /** Of the page at which it ended early. */
  readonly problem: Problem | null
}

/** One page of a hundred, from 1. */
export type ReadCasePage = (page: number) => Promise<Result<CasePage>>

/** A first page that was read already. */
export interface FirstPage {
  readonly page: CasePage
  /** ISO 8601: when it was asked for. */
  readonly readAt: string
}

/** Keeps a page, and when it was asked for. False ends the sweep: somebody else has taken it over. */
export type KeepCasePage = (page: number, found: CasePage, readAt: string) => Promise<boolean>

/**
 * Reads all pages of the list of cases, a few at a time. It is complete when it has met as many distinct cases as the
 * service told last. Cases that came meanwhile push others onto the next page, so it goes through the pages once more
 * until it has met all; where some went, or cannot be read, it counts anew. Null when {@link KeepCasePage} ended it.
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

/** Goes through the pages until the tally is whole, or to their end. Answers what stopped it. */
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
  // How many pages there are is known from the first.
  if (first === null) await readNext()
  else await keep(next++, first.page, first.readAt)
  const readOn = async () => {
    while (next <= tally.pages && !isOver()) await readNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return stopped
}

/** What a sweep has met so far. */
class Tally {
  total: number | null = null
  /** The service told of fewer cases than before: some went, and those behind them took their places. */
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
    // A service that promises more than it gives is asked for no more.
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
