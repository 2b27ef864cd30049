import 'server-only'
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { amountText, type DecimalMark } from './amount-text.ts'
import {
  broken,
  COLUMNS_MAX,
  FAULTS_MAX,
  type FileFault,
  LINES_MAX,
  type ParsedStatement,
  type StatementLine,
  whole,
} from './statement.ts'

/** Which column carries what, by its heading. All but the amount may have none. */
export interface ColumnMapping {
  readonly reference: string | null
  readonly amount: string
  readonly bankReference: string | null
  readonly bookedOn: string | null
  readonly currency: string | null
  readonly text: string | null
  readonly decimalMark: DecimalMark
}

export interface CsvHead {
  readonly columns: readonly string[]
  /** The first rows, to map the columns by. */
  readonly sample: readonly (readonly string[])[]
}

interface Row {
  readonly record: readonly string[]
  readonly info: Info
}

const SAMPLE_ROWS = 5
const SAMPLE_CHARS = 240
/** In one line of the file, within quotation marks or not. */
const DELIMITERS_MAX = 2_000
const TOO_WIDE = `This line has more than ${COLUMNS_MAX} columns. Leave out those that are not needed.`
/** Of one row with all its cells. */
const RECORD_MAX_CHARS = 100_000
const DELIMITERS = [',', ';', '\t', '|'] as const

/** The delimiter that cuts the first line into most parts. */
function delimiterOf(text: string): string {
  const [first = ''] = /[^\r\n]+/.exec(text) ?? []
  const parts = (delimiter: string): number => first.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (parts(delimiter) > parts(best) ? delimiter : best))
}

/** The first line that no table of a bank has, found before anything is cut: one line may be the whole file. */
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

function rowsOf(text: string, upTo?: number): Row[] {
  return parse(text, {
    bom: true,
    // Banks write what payers write: a quotation mark within a cell that is not quoted is one like any other character.
    relax_quotes: true,
    delimiter: delimiterOf(text),
    max_record_size: RECORD_MAX_CHARS,
    info: true,
    skip_empty_lines: true,
    trim: true,
    ...(upTo === undefined ? {} : { to: upTo }),
  }) as unknown as Row[]
}

const faultOf = (error: unknown): FileFault =>
  error instanceof CsvError
    ? { place: typeof error.lines === 'number' ? error.lines : null, what: csvWords(error) }
    : { place: null, what: 'The file cannot be read as a table of comma-separated values.' }

function csvWords(error: CsvError): string {
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return 'This line has another number of columns than the first.'
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return 'This line is longer than any payment. Split it, or close its quotation mark.'
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'A quotation mark is opened and not closed.'
  return 'This line cannot be read as comma-separated values.'
}

/** The headings and the first rows, or why there are none. */
export function readCsvHead(text: string): CsvHead | FileFault {
  const wide = tooWide(text)
  if (wide !== null) return wide
  try {
    const [head, ...rows] = rowsOf(text, SAMPLE_ROWS + 1)
    if (head === undefined) return { place: null, what: 'The file is empty.' }
    if (head.record.length > COLUMNS_MAX) return { place: head.info.lines, what: TOO_WIDE }
    return { columns: head.record, sample: rows.map(({ record }) => record.map((cell) => cell.slice(0, SAMPLE_CHARS))) }
  } catch (error) {
    return faultOf(error)
  }
}

/** Reads every row by the mapping; all faults are told, and then nothing is taken. */
export function parseCsv(text: string, mapping: ColumnMapping): ParsedStatement {
  let rows: Row[]
  try {
    rows = rowsOf(text, LINES_MAX + 2)
  } catch (error) {
    return broken(faultOf(error))
  }
  const [head, ...body] = rows
  const columns = head?.record ?? []
  const missing = Object.entries(mapping).filter(
    ([field, name]) => field !== 'decimalMark' && name !== null && !columns.includes(name),
  )
  if (missing.length > 0) {
    return broken(
      ...missing.map(([, name]) => ({ place: 1, what: `There is no column “${name}”. Map the columns again.` })),
    )
  }
  const [lines, faults]: [StatementLine[], FileFault[]] = [[], []]
  let leftOut = 0
  for (const { record, info } of body) {
    const cell = (name: string | null): string => (name === null ? '' : (record[columns.indexOf(name)] ?? ''))
    const amount = amountText(cell(mapping.amount), mapping.decimalMark)
    if (amount === null)
      faults.push({ place: info.lines, what: `“${cell(mapping.amount).slice(0, 40)}” is no amount.` })
    else if (amount.startsWith('-') || /^0*\.?0*$/.test(amount)) leftOut += 1
    else {
      lines.push({
        place: info.lines,
        reference: cell(mapping.reference),
        amount,
        currency: cell(mapping.currency),
        bankReference: cell(mapping.bankReference),
        bookedOn: cell(mapping.bookedOn),
        text: cell(mapping.text),
      })
    }
    if (faults.length >= FAULTS_MAX) break
  }
  return faults.length > 0 ? broken(...faults) : whole('csv', lines, leftOut)
}
