import 'server-only'
import { PAGE_SIZE_MAX, type Row } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/client.ts'
import type { HistoryPage } from '#lib/transactions/transaction-service.ts'

/** New transactions push rows onto later pages; more pages than this are a fault. */
const PAGES_MAX = 200

/** `place` counts from 1, the newest. */
export type PlacedRow = Row<Transaction> & { readonly place: number }

export type HistoryPart =
  | { readonly ok: true; readonly rows: readonly PlacedRow[]; readonly total: number; readonly more: boolean }
  | { readonly ok: false; readonly problem: Problem }

export type ReadHistoryPage = (query: {
  readonly page: number
  readonly pageSize: number
}) => Promise<Result<HistoryPage>>

/** Reads pages on demand and drops rows that moved to a later page. Ends with a problem if rows are missing. */
export async function* wholeHistory(
  readPage: ReadHistoryPage,
  rowsMax: number,
  firstPage = 1,
): AsyncGenerator<HistoryPart, void, undefined> {
  const seen = new Set<string>()
  let [received, given, promised] = [(firstPage - 1) * PAGE_SIZE_MAX, 0, 0]
  for (let page = firstPage; page < firstPage + PAGES_MAX; page += 1) {
    const result = await readPage({ page, pageSize: PAGE_SIZE_MAX })
    if (!result.ok) return yield { ok: false, problem: result.problem }
    const { rows, total } = result.value
    if (page === firstPage) promised = total - received
    const fresh = newRows(rows, received, seen)
    received += rows.length
    const taken = fresh.slice(0, rowsMax - given)
    given += taken.length
    const last = rows.length === 0 || received >= total
    const full = given === rowsMax
    yield { ok: true, rows: taken, total, more: taken.length < fresh.length || (full && !last) }
    if (full || (last && given >= promised)) return
    if (last) break
  }
  yield { ok: false, problem: problemOf('unreadable') }
}

/** An unreadable row has no id, so it counts as new. */
const newRows = (rows: HistoryPage['rows'], before: number, seen: Set<string>): readonly PlacedRow[] =>
  rows.flatMap((row, at) => {
    if (row.readable && seen.has(row.value.referenceId)) return []
    if (row.readable) seen.add(row.value.referenceId)
    return [{ ...row, place: before + at + 1 }]
  })
