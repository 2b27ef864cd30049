import 'server-only'
import { PAGE_SIZE_MAX } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { READ_BUDGET_MS } from '#lib/service/client.ts'
import { fitsFilter, type HistoryFilter } from './history-filter.ts'
import { type HistoryPart, type PlacedRow, type ReadHistoryPage, wholeHistory } from './whole-history.ts'

/** Of the service, for one page of the console. */
const PAGES_MAX = 10

export interface HistorySearch {
  /** The matching rows and those that cannot be read. */
  readonly rows: readonly PlacedRow[]
  /** Of all rows searched. */
  readonly states: readonly string[]
  readonly types: readonly string[]
  /** The places searched, from 1, the newest. `last` is smaller than `first` if none was. */
  readonly first: number
  readonly last: number
  readonly total: number
  /** Why the search ended early; it can continue after `last`. */
  readonly fault: Problem | null
}

type SearchResult =
  | { readonly ok: true; readonly value: HistorySearch }
  | { readonly ok: false; readonly problem: Problem }

interface SearchOptions {
  readonly filter: HistoryFilter
  readonly size: number
  /** Begins after this many of the newest rows, when there were `of`. */
  readonly start: { readonly after: number; readonly of: number } | null
}

/** Reads on until `size` rows are found, the history ends, or the pages or the time for one request are used up. */
export async function searchHistory(
  readPage: ReadHistoryPage,
  { filter, size, start }: SearchOptions,
): Promise<SearchResult> {
  const deadline = Date.now() + READ_BUDGET_MS
  const fits = fitsFilter(filter)
  const rows: PlacedRow[] = []
  const [states, types] = [new Set<string>(), new Set<string>()]
  let [pages, total, fault]: [number, number, Problem | null] = [0, 0, null]
  // Counted from the oldest row, because new transactions change all places.
  let [begun, left] = [0, start === null ? Number.POSITIVE_INFINITY : start.of - start.after]
  for await (const part of partsFrom(readPage, start)) {
    if (!part.ok) {
      if (pages === 0) return part
      fault = part.problem
      break
    }
    total = part.total
    if (pages === 0) begun = left = Math.min(left, total)
    pages += 1
    for (const row of part.rows) {
      if (rows.length === size) break
      const older = total - row.place
      if (older >= left) continue
      left = older
      if (row.readable) {
        states.add(row.value.state)
        types.add(row.value.transactionType)
      }
      if (!row.readable || fits(row.value)) rows.push(row)
    }
    if (rows.length === size || pages === PAGES_MAX || Date.now() >= deadline) break
  }
  const names = { states: [...states], types: [...types] }
  return { ok: true, value: { rows, ...names, first: total - begun + 1, last: total - left, total, fault } }
}

const pageAfter = (rows: number): number => Math.floor(rows / PAGE_SIZE_MAX) + 1

const partsAfter = (readPage: ReadHistoryPage, rows: number) =>
  wholeHistory(readPage, Number.POSITIVE_INFINITY, pageAfter(rows))

/** Rows that arrived since then may have moved the start by many pages. */
async function* partsFrom(
  readPage: ReadHistoryPage,
  start: SearchOptions['start'],
): AsyncGenerator<HistoryPart, void, undefined> {
  const { after, of } = start ?? { after: 0, of: Number.POSITIVE_INFINITY }
  const parts = partsAfter(readPage, after)
  const { value: first } = await parts.next()
  if (!first) return
  const now = first.ok ? first.total - (of - after) : after
  if (pageAfter(now) > pageAfter(after)) return yield* partsAfter(readPage, now)
  yield first
  yield* parts
}
