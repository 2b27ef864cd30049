import 'server-only'
import { FILE_MAX_BYTES, notAStatement, utf16Of } from '#lib/statements/not-a-statement.ts'
import { moneyOf, plus, ZERO } from './amount-text.ts'
import { parseCamt053 } from './camt053.ts'
import { parseMt940 } from './mt940.ts'
import {
  broken,
  type ColumnMapping,
  type FileFault,
  type ParsedStatement,
  type ReadFile,
  type ReadSummary,
  type StatementFormat,
  type StatementLine,
} from './statement.ts'
import { guessMapping, type NamedMapping, positionsOf, readLines, readTable, viewOf } from './table.ts'

/** PostgreSQL text cannot hold NUL. */
const NUL = '\u0000'
const SAMPLE_LINES = 5

export function formatOf(text: string): StatementFormat {
  const start = text.replace(/^\ufeff/, '').trimStart()
  if (start.startsWith('<')) return 'camt.053'
  return /^(\{1:|:20:)/m.test(start.slice(0, 2000)) ? 'mt940' : 'csv'
}

export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const wide = utf16Of(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Older banking software writes Latin-1, a subset of Windows-1252.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** One fault refuses the file. A table needs a mapping, by position or (older ones) by heading. */
export function readFile(bytes: Uint8Array, mapping: ColumnMapping | NamedMapping | null): ReadFile {
  const what = notAStatement(bytes)
  if (what !== null) return refused([{ place: null, what }])
  if (bytes.length > FILE_MAX_BYTES) return refused([{ place: null, what: 'The file is larger than 5 MB. Split it.' }])
  const text = textOf(bytes)
  switch (formatOf(text)) {
    case 'camt.053':
      return resultOf(parseCamt053(text))
    case 'mt940':
      return resultOf(parseMt940(text))
    case 'csv':
      return readTableFile(text, mapping)
  }
}

const refused = (faults: readonly FileFault[]): ReadFile => ({ kind: 'broken', faults, head: null })

function readTableFile(text: string, mapping: ColumnMapping | NamedMapping | null): ReadFile {
  const table = readTable(text)
  if ('ok' in table) return resultOf(table)
  const head = viewOf(table)
  if (mapping === null) return { kind: 'columns', head, draft: guessMapping(head) }
  const positions = 'headings' in mapping ? mapping : positionsOf(head, mapping)
  const parsed = 'headings' in positions ? readLines(table, positions) : broken(...positions)
  return { ...resultOf(parsed), head }
}

function resultOf(parsed: ParsedStatement): ReadFile {
  if (!parsed.ok) return refused(parsed.faults)
  const nul = 'This line has a NUL character.'
  const faults = parsed.lines.filter(hasNul).map(({ place }) => ({ place, what: nul }))
  if (faults.length > 0) return resultOf(broken(...faults))
  const { format, lines, leftOut } = parsed
  const count = Object.values(leftOut.counts).reduce((sum, one) => sum + one, 0)
  return { kind: 'whole', format, lines, leftOut: count, summary: { ...leftOut, ...summaryOf(lines) }, head: null }
}

const hasNul = (line: StatementLine): boolean => Object.values(line).some((value) => String(value).includes(NUL))

function summaryOf(lines: readonly StatementLine[]): Pick<ReadSummary, 'totals' | 'first'> {
  const totals = new Map<string, { count: number; sum: typeof ZERO; largest: typeof ZERO }>()
  for (const { currency, amount } of lines) {
    const money = moneyOf(amount)
    const total = totals.get(currency) ?? { count: 0, sum: ZERO, largest: ZERO }
    const largest = money.isMoreThan(total.largest) ? money : total.largest
    totals.set(currency, { count: total.count + 1, sum: plus(total.sum, money), largest })
  }
  return {
    first: lines.slice(0, SAMPLE_LINES),
    totals: [...totals].map(([currency, { count, sum, largest }]) => ({
      currency,
      count,
      sum: sum.toExact(),
      largest: largest.toExact(),
    })),
  }
}
