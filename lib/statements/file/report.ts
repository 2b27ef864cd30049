import 'server-only'
import type { CellExample } from './amount-text.ts'
import { FileTooHard } from './read-in-worker.ts'
import type { DraftMapping, FileFault, ReadFile, StatementFormat, StatementLine, TableView } from './statement.ts'
import { type AnyMapping, positionsOf } from './table.ts'

export const EXIT = { read: 0, refused: 2, asks: 3 } as const

type Question =
  | { readonly what: 'decimalMark'; readonly examples: readonly CellExample[] }
  | ({ readonly what: 'mapping'; readonly draft: DraftMapping } & Pick<TableView, 'headings' | 'columns' | 'sample'>)

export interface StatementReport {
  readonly format: StatementFormat | null
  readonly lines: readonly StatementLine[]
  readonly leftOut: readonly { readonly kind: string; readonly count: number }[]
  readonly warnings: readonly FileFault[]
  readonly faults: readonly FileFault[]
  readonly asks: readonly Question[]
}

/** How the import would read a file, for `statement:read`. */
export function reportOf(read: ReadFile, mapping: AnyMapping | null): StatementReport {
  const nothing: StatementReport = { format: null, lines: [], leftOut: [], warnings: [], faults: [], asks: [] }
  const examples = undecidedAmounts(read, mapping)
  if (examples.length > 0) return { ...nothing, asks: [{ what: 'decimalMark', examples }] }
  if (read.kind === 'broken') return { ...nothing, faults: read.faults }
  if (read.kind === 'columns') {
    const { format, head, draft } = read
    const { headings, columns, sample } = head
    return { ...nothing, format, asks: [{ what: 'mapping', headings, columns, sample, draft }] }
  }
  const { format, lines, summary } = read
  const leftOut = Object.entries(summary.counts).map(([kind, count]) => ({ kind, count }))
  return { ...nothing, format, lines, leftOut, warnings: [...summary.warnings, ...summary.remarks] }
}

/** Cells of the mapped amount column, such as `1.080`, whose decimal mark neither the mapping nor the column decides. */
function undecidedAmounts(read: ReadFile, mapping: AnyMapping | null) {
  if (read.kind !== 'broken' || read.head === null || mapping === null) return []
  const positions = 'headings' in mapping ? mapping : positionsOf(read.head, mapping)
  if (!('headings' in positions) || positions.decimalMark !== null) return []
  const mark = read.head.marks[positions.amount]
  return mark?.verdict === 'undecided' ? mark.examples : []
}

export function exitCodeOf({ asks, faults }: StatementReport): number {
  if (asks.length > 0) return EXIT.asks
  return faults.length > 0 ? EXIT.refused : EXIT.read
}

export const failureWords = (error: Error): string =>
  error instanceof FileTooHard ? 'the file takes too long or too much memory to read' : error.message
