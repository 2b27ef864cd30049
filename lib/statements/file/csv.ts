import 'server-only'
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { formatCount } from '#lib/values/words.ts'
import { broken, COLUMNS_MAX, type FileFault, LINES_MAX, type ParsedStatement } from './statement.ts'

export interface Row {
  readonly cells: readonly string[]
  readonly place: number
  /** Cells that are numbers of a workbook. */
  readonly numbers?: ReadonlySet<number>
}

const DELIMITERS_MAX = 2_000
export const TOO_WIDE = `This line has more than ${COLUMNS_MAX} columns. Remove unneeded columns.`
const RECORD_MAX_CHARS = 100_000
/** The comma is last, because amounts may have it. */
const DELIMITERS = [';', '\t', '|', ','] as const
/** Excel names the delimiter in a first line. */
const SEPARATOR_LINE = /^\ufeff?sep=(.)[\r\n]/i

/** Lines above a table may have other delimiters or none. */
export const LINES_ABOVE_MAX = 30

const BEGINNING_CHARS = 50_000

/** With lines above, below, and the headings. */
const ROWS_MAX = LINES_MAX + 2 * LINES_ABOVE_MAX
const MOST = formatCount(LINES_MAX)
export const TOO_MANY = `The table has more than ${MOST} rows; at most ${MOST} are imported. Split it.`

/** The delimiter that splits most of the first lines into equally many cells. */
function delimiterOf(text: string): string {
  const quotes = /(^|[;,|\t\n])"(?:[^"]|"")*"(?=[;,|\t\r\n]|$)/g
  const beginning = text.slice(0, BEGINNING_CHARS).replaceAll(quotes, '$1""')
  const first = beginning.split(/[\r\n]+/, LINES_ABOVE_MAX).filter((line) => line.trim() !== '')
  const regularity = (delimiter: string): readonly [lines: number, cells: number] => {
    const lines = new Map<number, number>()
    for (const line of first.map((one) => one.replaceAll(/"[^"]*"/g, ''))) {
      const cells = line.split(delimiter).length
      if (cells > 1) lines.set(cells, (lines.get(cells) ?? 0) + 1)
    }
    return [...lines].reduce<readonly [number, number]>(
      (best, [cells, count]) => (count > best[0] || (count === best[0] && cells > best[1]) ? [count, cells] : best),
      [0, 0],
    )
  }
  const judged = DELIMITERS.map((delimiter) => ({ delimiter, regularity: regularity(delimiter) }))
  const most = (of: typeof judged) =>
    of.reduce((best, one) => {
      const [lines, cells] = one.regularity
      const [bestLines, bestCells] = best.regularity
      return lines > bestLines || (lines === bestLines && cells > bestCells) ? one : best
    })
  const found = most(judged)
  // Commas that split lines in two may be decimal commas.
  const wider = judged.filter(({ regularity: [lines, cells] }) => lines > 1 && cells > 2)
  const isDecimal = found.delimiter === ',' && found.regularity[1] === 2 && wider.length > 0 && !/\D,|,\D/.test(text)
  return isDecimal ? most(wider).delimiter : found.delimiter
}

/** Runs before the parser, because one line may be the whole file. */
function tooWide(text: string): FileFault | null {
  const counts = new Map<string, number>()
  let line = 1
  for (const char of text) {
    if (char === '\n') {
      line += 1
      counts.clear()
    } else if (DELIMITERS.some((delimiter) => delimiter === char)) {
      const count = (counts.get(char) ?? 0) + 1
      if (count > DELIMITERS_MAX) return { place: line, what: TOO_WIDE }
      counts.set(char, count)
    }
  }
  return null
}

const faultOf = (error: unknown): FileFault =>
  error instanceof CsvError
    ? { place: typeof error.lines === 'number' ? error.lines : null, what: csvWords(error) }
    : { place: null, what: 'The file cannot be read as a table of comma-separated values.' }

function csvWords(error: CsvError): string {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'This line is too long. Close its quotation mark, or split it.'
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'A quotation mark is not closed.'
  return 'This line cannot be read as comma-separated values.'
}

/** Excel writes `="0042"` to keep leading zeros. A quoted cell may have spaces behind it. */
const cellText = (cell: string): string => {
  const trimmed = cell.trim()
  return /^="([^"]*)"$/.exec(trimmed)?.[1] ?? (trimmed === cell ? cell : (/^"([^"]*)"$/.exec(trimmed)?.[1] ?? trimmed))
}

export const separatorOf = (text: string): string => SEPARATOR_LINE.exec(text)?.[1] ?? delimiterOf(text)

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: Info
}

const JOINED = 'A quotation mark on this line joins it with later lines. Remove the mark or close it.'

/** A cell with a line break may be a free text, but no row of the table. */
function joinedRows(records: readonly CsvRecord[], delimiter: string): readonly FileFault[] {
  let width = 2
  const seen = new Set<number>()
  for (const { length } of records.map(({ record }) => record)) {
    if (seen.has(length)) width = Math.max(width, length)
    seen.add(length)
  }
  return records.flatMap(({ record, info }) => {
    const lines = record.join(delimiter).split('\n')
    const rows = lines.filter((line) => line.split(delimiter).length >= width)
    return rows.length > 1 ? [{ place: info.lines - lines.length + 1, what: JOINED }] : []
  })
}

/** Rows may have different numbers of cells. */
export function rowsOf(file: string): readonly Row[] | ParsedStatement {
  const text = file.replace(/\r\n?/g, '\n')
  const wide = tooWide(text)
  if (wide !== null) return broken(wide)
  const delimiter = separatorOf(text)
  let records: readonly CsvRecord[]
  try {
    records = parse(text, {
      bom: true,
      // Payers' texts may have quotation marks in unquoted cells, or begin with a quoted word.
      relax_quotes: true,
      ltrim: true,
      relax_column_count: true,
      delimiter,
      from_line: SEPARATOR_LINE.test(text) ? 2 : 1,
      max_record_size: RECORD_MAX_CHARS,
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: ROWS_MAX,
    }) as unknown as typeof records
  } catch (error) {
    return broken(faultOf(error))
  }
  if (records.length === ROWS_MAX) return broken({ place: null, what: TOO_MANY })
  if (records.length === 0) return broken({ place: null, what: 'The file is empty.' })
  const tooMany = records.find(({ record }) => record.length > COLUMNS_MAX)
  if (tooMany !== undefined) return broken({ place: tooMany.info.lines, what: TOO_WIDE })
  const joined = joinedRows(records, delimiter)
  if (joined.length > 0) return broken(...joined)
  return records.map(({ record, info }) => ({ cells: record.map(cellText), place: info.lines }))
}
