import type { HistoryPart, HistoryRow } from '#lib/users/history-export.ts'
import { historyHeadings, historyLine, unreadableLine } from '#lib/users/history-export.ts'
import { fitsFilter, type HistoryFilter } from '#lib/users/history-filter.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { BYTE_ORDER_MARK } from '#lib/values/csv.ts'

/** Reads the next part only when the previous one was taken. A filter never removes rows that cannot be read. */
export async function* historyFrames(
  parts: AsyncIterable<HistoryPart>,
  fileName: string,
  filter: HistoryFilter | null = null,
): AsyncGenerator<ExportFrame, void, undefined> {
  const fits = filter === null ? null : fitsFilter(filter)
  let [rows, read, unreadable, cut] = [0, 0, 0, false]
  yield { kind: 'start', fileName, text: BYTE_ORDER_MARK + historyHeadings }
  for await (const part of parts) {
    if (!part.ok) return yield { kind: 'problem', problem: part.problem }
    const wanted = fits === null ? part.rows : part.rows.filter((row) => !('transaction' in row) || fits(wordsOf(row)))
    rows += wanted.length
    read += part.rows.length
    unreadable += part.rows.filter((row) => 'unreadablePlace' in row).length
    cut = part.more
    const text = wanted.map(lineOf).join('')
    yield { kind: 'rows', text, rows, total: part.total, ...(fits === null ? {} : { read }) }
  }
  yield { kind: 'end', text: '', rows, unreadable, cut }
}

const wordsOf = ({ transaction: { state, transactionType: type, createdAt } }: ReadRow) => ({ state, type, createdAt })

type ReadRow = Extract<HistoryRow, { readonly transaction: unknown }>

const lineOf = (row: HistoryRow): string =>
  'transaction' in row ? historyLine(row.transaction) : unreadableLine(row.unreadablePlace)
