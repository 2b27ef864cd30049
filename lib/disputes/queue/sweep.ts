import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/answer.ts'
import { type Shortfall, SWEEP_MAX_CASES } from './queue.ts'

const PAGES_MAX = SWEEP_MAX_CASES / PAGE_SIZE_MAX
/** Pages that moved under the first reading are read once more. */
const READINGS_MAX = 2

/** What one reading of a whole list came to. */
export interface Sweep {
  /** Each once, in the service's order, which it does not promise. */
  readonly cases: readonly ThreadCase[]
  /** ISO 8601, by this machine: when the reading began. What is told here was so then, or later. */
  readonly startedAt: string
  readonly readAt: string
  /** As the service reported it last; null when no page came. */
  readonly total: number | null
  /** Rows that do not fit the contract. */
  readonly unreadable: number
  /** Why it is not all there is; null when it is. */
  readonly shortfall: Shortfall | null
  /** Of the page at which the reading ended early. */
  readonly problem: Problem | null
}

/** One page of a hundred, from 1. */
export type ReadCasePage = (page: number) => Promise<Result<CasePage>>

/**
 * Reads all pages of a list of cases, the pages one after the other. It is complete when there are as many distinct cases
 * as the service says, and it said the same on every page; otherwise the pages moved meanwhile, and it is read once more.
 */
export async function sweepCases(readPage: ReadCasePage): Promise<Sweep> {
  let sweep = await readOnce(readPage)
  for (let readings = 1; readings < READINGS_MAX && sweep.shortfall === 'moved'; readings += 1) {
    sweep = await readOnce(readPage)
  }
  return sweep
}

async function readOnce(readPage: ReadCasePage): Promise<Sweep> {
  const startedAt = new Date().toISOString()
  const cases = new Map<string, ThreadCase>()
  let [received, unreadable] = [0, 0]
  let total: number | null = null
  let moved = false
  const ended = (shortfall: Shortfall | null, problem: Problem | null = null): Sweep => {
    const readAt = new Date().toISOString()
    return { cases: [...cases.values()], startedAt, readAt, total, unreadable, shortfall, problem }
  }
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const result = await readPage(page)
    if (!result.ok) return ended('problem', result.problem)
    const { cases: rows, totalCount } = result.value
    moved ||= total !== null && total !== totalCount
    total = totalCount
    received += rows.length
    for (const row of rows) {
      if (row.readable) cases.set(row.value.id.toLowerCase(), shown(row.value))
      else unreadable += 1
    }
    if (total > SWEEP_MAX_CASES) return ended('too-many')
    if (rows.length === 0 || received >= total) break
  }
  return ended(moved || cases.size + unreadable !== total ? 'moved' : null)
}

/** What is kept of a case: the fields that the interface names, and no thread. */
function shown(found: ThreadCase): ThreadCase {
  const { id, referenceId, raisedByUserId, counterpartyUserId, status, reason, createdAt } = found
  const { resolutionOutcome, resolutionReason, resolvedByUserId, resolvedAt } = found
  return {
    id,
    referenceId,
    raisedByUserId,
    counterpartyUserId,
    status,
    reason,
    createdAt,
    resolutionOutcome,
    resolutionReason,
    resolvedByUserId,
    resolvedAt,
  }
}
