import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FileTooHard, readInWorker } from '#lib/statements/file/read-in-worker.ts'
import type { ReadFile } from '#lib/statements/file/statement.ts'
import { type AnyMapping, positionsOf } from '#lib/statements/file/table.ts'
import { columnMapping, namedMapping } from '#lib/statements/import.ts'

const USAGE = 'Usage: npm run --silent statement:read -- FILE [--mapping FILE]\n'
const [READ, REFUSED, ASKS] = [0, 2, 3]

/**
 * `npm run statement:read -- FILE [--mapping FILE]`: prints as JSON how the import would read a bank file, and stores
 * nothing. A mapping is JSON, with headings or with positions from 0. Exits 0 if the file is read, 2 if it is refused,
 * 3 if it needs a mapping or a decimal mark.
 */
async function readStatement(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { mapping: { type: 'string' } } })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) {
    process.stderr.write(USAGE)
    return REFUSED
  }
  const mapping = values.mapping === undefined ? null : mappingIn(values.mapping)
  if (mapping === 'none') {
    process.stderr.write(`${values.mapping} is not a mapping. docs/operations.md, section 5, shows one.\n`)
    return REFUSED
  }
  const read = await readInWorker(readFileSync(path), mapping)
  const report = reportOf(read, mapping)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  if (read.kind === 'whole') return READ
  return report.asks.length > 0 ? ASKS : REFUSED
}

function mappingIn(path: string): AnyMapping | 'none' {
  try {
    return columnMapping.or(namedMapping).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return 'none'
  }
}

function reportOf(read: ReadFile, mapping: AnyMapping | null) {
  const nothing = { format: null, lines: [], leftOut: [], warnings: [], faults: [], asks: [] }
  const examples = undecidedAmounts(read, mapping)
  if (examples.length > 0) return { ...nothing, asks: [{ what: 'decimalMark', examples }] }
  if (read.kind === 'broken') return { ...nothing, faults: read.faults }
  if (read.kind === 'columns') {
    const { headings, columns, sample } = read.head
    return { ...nothing, format: 'csv', asks: [{ what: 'mapping', headings, columns, sample, draft: read.draft }] }
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

process.exitCode = await readStatement().catch((error: Error) => {
  const why = error instanceof FileTooHard ? 'the file takes too long or too much memory to read' : error.message
  process.stderr.write(`The file cannot be read: ${why}\n`)
  return REFUSED
})
