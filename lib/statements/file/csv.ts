import 'server-only'
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { broken, COLUMNS_MAX, type FileFault, LINES_MAX, type ParsedStatement } from './statement.ts'

export interface Row {
  readonly cells: readonly string[]
  readonly place: number
}

const DELIMITERS_MAX = 2_000
const TOO_WIDE = `This line has more than ${COLUMNS_MAX} columns. Remove unneeded columns.`
const RECORD_MAX_CHARS = 100_000
const DELIMITERS = [',', ';', '\t', '|'] as const
/** Excel names the delimiter in a first line. */
const SEPARATOR_LINE = /^\ufeff?sep=(.)\r?\n/i

function delimiterOf(text: string): string {
  const [first = ''] = /[^\r\n]+/.exec(text) ?? []
  const parts = (delimiter: string): number => first.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (parts(delimiter) > parts(best) ? delimiter : best))
}

/** Runs before the parser, because one line may be the whole file. */
function tooWide(text: string): FileFault | null {
  const counts = new Map<string, number>()
  let line = 1
  for (const char of text) {
    if (char === '\n' || char === '\r') {
      if (char === '\n') line += 1
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

/** Excel writes `="0042"` to keep leading zeros. */
const withoutFormula = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell

export function rowsOf(text: string): readonly Row[] | ParsedStatement {
  const wide = tooWide(text)
  if (wide !== null) return broken(wide)
  const separator = SEPARATOR_LINE.exec(text)?.[1]
  let records: { readonly record: readonly string[]; readonly info: Info }[]
  try {
    records = parse(text, {
      bom: true,
      // Payers' texts may have quotation marks in unquoted cells.
      relax_quotes: true,
      relax_column_count: true,
      delimiter: separator ?? delimiterOf(text),
      from_line: separator === undefined ? 1 : 2,
      max_record_size: RECORD_MAX_CHARS,
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      to: LINES_MAX + 2,
    }) as unknown as typeof records
  } catch (error) {
    return broken(faultOf(error))
  }
  const [first] = records
  if (first === undefined) return broken({ place: null, what: 'The file is empty.' })
  const width = first.record.length
  if (width > COLUMNS_MAX) return broken({ place: first.info.lines, what: TOO_WIDE })
  if (records.length > LINES_MAX + 1) {
    const most = LINES_MAX.toLocaleString('en-US')
    return broken({
      place: null,
      what: `The table has more than ${most} rows; at most ${most} are imported. Split it.`,
    })
  }
  const rows = records.map(({ record, info }) => ({ cells: record.map(withoutFormula), place: info.lines }))
  const uneven = rows.filter(({ cells }) => cells.length < width || cells.slice(width).some((cell) => cell !== ''))
  if (uneven.length > 0) {
    const what = 'This line has a different number of columns than the first.'
    return broken(...uneven.map(({ place }) => ({ place, what })))
  }
  // Some banks end each row, but not the headings, with a delimiter.
  return rows.map(({ cells, place }) => ({ cells: cells.slice(0, width), place }))
}
