import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import type { HistoryPage } from '#lib/transactions/transaction-service.ts'
import { csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'

/** New transactions push rows onto later pages; more pages than this are a fault. */
const PAGES_MAX = 200

export type HistoryRow = { readonly transaction: Transaction } | { readonly unreadablePlace: number }

export type HistoryPart =
  | { readonly ok: true; readonly rows: readonly HistoryRow[]; readonly total: number; readonly more: boolean }
  | { readonly ok: false; readonly problem: Problem }

/**
 * Reads pages on demand and drops rows that moved to a later page. Ends with a problem if there are fewer rows than
 * first reported.
 */
export async function* wholeHistory(
  readPage: (page: number) => Promise<Result<HistoryPage>>,
  rowsMax: number,
): AsyncGenerator<HistoryPart, void, undefined> {
  const seen = new Set<string>()
  let [received, given, promised] = [0, 0, 0]
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const result = await readPage(page)
    if (!result.ok) return yield { ok: false, problem: result.problem }
    const { rows, total } = result.value
    if (page === 1) promised = total
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
function newRows(rows: HistoryPage['rows'], before: number, seen: Set<string>): readonly HistoryRow[] {
  return rows.flatMap((row, at): HistoryRow[] => {
    if (!row.readable) return [{ unreadablePlace: before + at + 1 }]
    if (seen.has(row.value.referenceId)) return []
    seen.add(row.value.referenceId)
    return [{ transaction: row.value }]
  })
}

export const historyHeadings = csvLine([
  'Reference',
  'Created (UTC)',
  'Settled (UTC)',
  'Type',
  'State',
  'Sender',
  'Recipient',
  'Sender pays (BZD)',
  'Recipient gets (BZD)',
  'Fee (BZD)',
  'Note',
  'Failed because',
])

const NONE = ''

export function historyLine(transaction: Transaction): string {
  const [pays, gets] = [Money.fromWire(transaction.debit), Money.fromWire(transaction.credit)]
  return csvLine([
    transaction.referenceId,
    transaction.createdAt,
    transaction.settledAt ?? NONE,
    transaction.transactionType,
    transaction.state,
    transaction.fromAccountId,
    transaction.toAccountId,
    pays ?? transaction.debit,
    gets ?? transaction.credit,
    pays === null || gets === null ? NONE : pays.minus(gets),
    transaction.note,
    transaction.failReason,
  ])
}

/** Makes the gap visible. `place` counts from 1, the newest. */
export const unreadableLine = (place: number): string =>
  csvLine([`(row ${place} of the history could not be read)`, ...Array.from({ length: 11 }, () => NONE)])

/** For example `history-000000000011-filtered-2026-11-20.csv`. */
export const historyFileName = (accountId: string, day: string, filtered: boolean): string =>
  `history-${accountId.split('-').at(-1)?.toLowerCase()}${filtered ? '-filtered' : ''}-${day}.csv`
