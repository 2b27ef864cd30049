import { historyHeadings, historyLine, unreadableLine } from '#lib/users/history-csv.ts'
import type { HistoryPart, HistoryRow } from '#lib/users/whole-history.ts'
import { BYTE_ORDER_MARK } from '#lib/values/csv.ts'
import type { ExportFrame } from '#lib/values/export-frame.ts'

/** A history on its way into a file; asks for the next part only when the one before was taken. */
export async function* historyFrames(
  parts: AsyncIterable<HistoryPart>,
  fileName: string,
): AsyncGenerator<ExportFrame, void, undefined> {
  let [rows, unreadable, cut] = [0, 0, false]
  yield { kind: 'start', fileName, text: BYTE_ORDER_MARK + historyHeadings }
  for await (const part of parts) {
    if (!part.ok) return yield { kind: 'problem', problem: part.problem }
    rows += part.rows.length
    unreadable += part.rows.filter((row) => 'unreadablePlace' in row).length
    cut = part.more
    yield { kind: 'rows', text: part.rows.map(lineOf).join(''), rows, total: part.total }
  }
  yield { kind: 'end', text: '', rows, unreadable, cut }
}

const lineOf = (row: HistoryRow): string =>
  'transaction' in row ? historyLine(row.transaction) : unreadableLine(row.unreadablePlace)
