import 'server-only'
import {
  type ColumnMark,
  currencyOf,
  type DecimalMark,
  judgeMark,
  moneyOf,
  plus,
  type ReadAmount,
  readAmount,
  ZERO,
} from './amount-text.ts'
import { LINES_ABOVE_MAX, type Row, TOO_MANY } from './csv.ts'
import {
  type ColumnRole,
  currenciesIn,
  guessFields,
  isAmountText,
  isDate,
  isExactTotalLabel,
  isShortened,
  isTotalLabel,
  judgeColumn,
  notReceivedHeading,
} from './headings.ts'
import {
  broken,
  type ColumnField,
  type ColumnMapping,
  type DraftMapping,
  type EntryRead,
  type FileFault,
  LINES_MAX,
  type ParsedStatement,
  statementOf,
  type TableView,
} from './statement.ts'

const SAMPLE_ROWS = 5
const SAMPLE_CHARS = 240
const QUOTED_CHARS = 40

export type TableFormat = 'csv' | 'qif' | 'xlsx'

export interface Table {
  readonly rows: readonly Row[]
  readonly headings: boolean
  /** Lines above and below the table. */
  readonly skipped: readonly Row[]
}

const columnName = (heading: string, at: number): string =>
  heading === '' ? `Column ${at + 1}` : `“${heading.slice(0, QUOTED_CHARS)}”`

const quoted = (cell: string): string => `“${cell.slice(0, QUOTED_CHARS)}”`

export function readTable(all: readonly Row[]): Table | ParsedStatement {
  const start = startOf(all)
  const width = all[start]?.cells.length ?? 0
  const fits = ({ cells }: Row): boolean => cells.length >= width && cells.slice(width).every((cell) => cell === '')
  const end = all.findLastIndex(fits) + 1
  const [above, inside, below] = [all.slice(0, start), all.slice(start, end), all.slice(end)]
  const uneven = [...above.filter(mayBePayment), ...inside.filter((row) => !fits(row)), ...below.filter(notAFooter)]
  if (uneven.length > 0) {
    const what = 'This line has a different number of columns than the table.'
    return broken(...uneven.map(({ place }) => ({ place, what })))
  }
  if (inside.length > LINES_MAX + 1) return broken({ place: null, what: TOO_MANY })
  // Some banks end each row, but not the headings, with a delimiter.
  const rows = inside.map(({ cells, place }) => ({ cells: cells.slice(0, width), place }))
  return { rows, headings: !isPayment(rows), skipped: [...above, ...below] }
}

/** The first row with known headings, or the first one as wide as most rows. */
function startOf(all: readonly Row[]): number {
  const first = all.slice(0, LINES_ABOVE_MAX)
  const named = first.findIndex(({ cells }) => {
    const fields = guessFields(cells)
    return fields.amount !== undefined && Object.keys(fields).length > 1 && !cells.some(isDate)
  })
  if (named !== -1) return named
  const widths = new Map<number, number>()
  for (const { cells } of all) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  const [usual = 0] = [...widths].toSorted(([, one], [, other]) => other - one)[0] ?? []
  const start = first.findIndex(({ cells }) => cells.length === usual)
  return start === -1 || first.slice(0, start).some(hasFigure) ? 0 : start
}

const hasFigure = ({ cells }: Row): boolean => cells.some((cell) => isDate(cell) || isAmountText(cell))

const mayBePayment = ({ cells }: Row): boolean =>
  cells.some(isDate) && cells.some((cell) => !isDate(cell) && isAmountText(cell)) && !cells.some(isTotalLabel)

/** A note of one cell, or a total. Anything else may be a payment that was cut. */
const notAFooter = ({ cells }: Row): boolean =>
  cells.filter((cell) => cell !== '').length > 1 && (cells.some(isDate) || !cells.some(isTotalLabel))

/** A payment has a date and an amount, or an amount in a column of amounts. */
function isPayment([first, ...others]: readonly Row[]): boolean {
  const cells = first?.cells ?? []
  const dates = cells.filter(isDate)
  if (dates.length > 0 && cells.some((cell) => !isDate(cell) && isAmountText(cell))) return true
  return cells.some(
    (cell, at) => isAmountText(cell) && others.length > 0 && others.every((row) => isAmountText(row.cells[at] ?? '')),
  )
}

const bodyOf = ({ rows }: Table, headings: boolean): readonly Row[] => (headings ? rows.slice(1) : rows)

const cellsOf = (rows: readonly Row[], at: number) => rows.map(({ cells, place }) => ({ place, text: cells[at] ?? '' }))

export function viewOf(table: Table): TableView {
  const body = bodyOf(table, table.headings)
  const columns = table.rows[0]?.cells ?? []
  return {
    headings: table.headings,
    columns,
    sample: table.rows.slice(1, SAMPLE_ROWS + 1).map(({ cells }) => cells.map((cell) => cell.slice(0, SAMPLE_CHARS))),
    marks: columns.map((_unused, at) => judgeMark(cellsOf(body, at))),
  }
}

export function guessMapping({ headings, columns, marks }: TableView): DraftMapping {
  const found = headings ? guessFields(columns) : {}
  const { reference = null, amount = null, bankReference = null, bookedOn = null, currency = null, text = null } = found
  const mark = amount === null ? undefined : marks[amount]
  return { headings, reference, amount, bankReference, bookedOn, currency, text, decimalMark: decidedMark(mark) }
}

export const decidedMark = (mark: ColumnMark | undefined): DecimalMark | null =>
  mark?.verdict === 'point' || mark?.verdict === 'comma' ? mark.verdict : null

/** Earlier versions stored it. Its decimal mark was a default, so it does not decide. */
export type NamedMapping = { readonly [Field in ColumnField]: string | null } & {
  readonly amount: string
  readonly decimalMark: DecimalMark
}

const FIELDS: readonly ColumnField[] = ['reference', 'amount', 'bankReference', 'bookedOn', 'currency', 'text']

export function positionsOf(view: TableView, named: NamedMapping): ColumnMapping | readonly FileFault[] {
  const faults: FileFault[] = []
  const at = (heading: string | null): number | null => {
    if (heading === null) return null
    const [first = null, ...others] = view.columns.flatMap((one, position) => (one === heading ? [position] : []))
    if (first === null) faults.push({ place: 1, what: `Column ${quoted(heading)} not found. Map the columns again.` })
    if (others.length > 0) {
      const count = others.length + 1
      faults.push({
        place: 1,
        what: `${count} columns are named ${quoted(heading)}. Choose one by its position.`,
      })
    }
    return first
  }
  const [reference, amount, bankReference] = [at(named.reference), at(named.amount), at(named.bankReference)]
  const [bookedOn, currency, text] = [at(named.bookedOn), at(named.currency), at(named.text)]
  if (faults.length > 0 || amount === null) return faults
  const isOpen = view.marks[amount]?.verdict === 'undecided'
  const decimalMark = isOpen ? null : named.decimalMark
  return { headings: true, reference, amount, bankReference, bookedOn, currency, text, decimalMark }
}

const markWords: Readonly<Record<DecimalMark, string>> = { point: 'a decimal point', comma: 'a decimal comma' }
const otherMark: Readonly<Record<DecimalMark, DecimalMark>> = { point: 'comma', comma: 'point' }

export function readLines(table: Table, mapping: ColumnMapping, format: TableFormat): ParsedStatement {
  const body = bodyOf(table, mapping.headings)
  const headings = mapping.headings ? (table.rows[0]?.cells ?? []) : []
  const before = faultBefore(table, mapping, headings)
  if (before !== null) return broken(before)
  const judged = judgeMark(cellsOf(body, mapping.amount))
  const mark = mapping.decimalMark ?? decidedMark(judged)
  if (mark === null && judged.verdict === 'undecided') {
    const [{ place, text } = { place: null, text: '' }] = judged.examples
    const what = `${quoted(text)} is ambiguous, and so are all amounts in its column. Choose the decimal separator.`
    return broken({ place, what })
  }
  if (mark === null && judged.verdict === 'mixed') {
    return broken(...judged.examples.map(({ place, text }) => ({ place, what: mixedWords(text) })))
  }
  return new TableReader({ body, headings, mapping, mark: mark ?? 'point' }).read(format, skippedRemark(table))
}

function skippedRemark({ skipped }: Table): readonly EntryRead[] {
  const [first, ...others] = skipped
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const what = `This line${more} outside the table ${others.length === 0 ? 'is' : 'are'} skipped: ${quoted(first.cells.filter((cell) => cell !== '').join(' '))}.`
  return [{ remark: { place: first.place, what } }]
}

function mixedWords(text: string): string {
  const mark = readAmount(text, 'point') === null ? 'comma' : 'point'
  return `${quoted(text)} has ${markWords[mark]}, and other amounts in its column have ${markWords[otherMark[mark]]}. Export the file again with one decimal separator.`
}

function faultBefore({ rows }: Table, mapping: ColumnMapping, headings: readonly string[]): FileFault | null {
  const [first] = rows
  const width = first?.cells.length ?? 0
  const missing = FIELDS.map((field) => mapping[field]).find((at) => at !== null && at >= width)
  if (missing !== undefined && missing !== null) {
    return { place: 1, what: `Column ${missing + 1} not found. Map the columns again.` }
  }
  if (!mapping.headings) return null
  const place = first?.place ?? 1
  const heading = headings[mapping.amount] ?? ''
  if (isPayment(rows) || isAmountText(heading)) {
    const what = 'The first line is a payment, not headings. Choose “a payment”.'
    return { place, what }
  }
  const not = notReceivedHeading(heading)
  if (not !== null) {
    return { place, what: `Column ${quoted(heading)} has ${not}. Choose the column of incoming payments.` }
  }
  const currencies = currenciesIn(heading)
  if (currencies.length > 1 && mapping.currency === null) {
    const what = `Heading ${quoted(heading)} names ${currencies.join(' and ')}. Choose the currency column.`
    return { place, what }
  }
  return null
}

interface Reading {
  readonly body: readonly Row[]
  readonly headings: readonly string[]
  readonly mapping: ColumnMapping
  readonly mark: DecimalMark
}

class TableReader {
  readonly #reading: Reading
  readonly #payments: Row[] = []
  readonly #dates: readonly number[]
  readonly #headingCurrency: string
  /** Over all rows, and since the last total. `net` subtracts payments out. */
  #sums = { all: { received: ZERO, net: ZERO }, section: { received: ZERO, net: ZERO } }

  constructor(reading: Reading) {
    this.#reading = reading
    this.#dates = datesIn(reading)
    const [currency = ''] = currenciesIn(reading.headings[reading.mapping.amount] ?? '')
    this.#headingCurrency = currency
  }

  read(format: TableFormat, remarks: readonly EntryRead[]): ParsedStatement {
    const entries = this.#reading.body.flatMap((row) => this.#entriesOf(row))
    // Column faults come first, because they often explain row faults.
    return statementOf(format, [...this.#columnFaults(), ...remarks, ...entries])
  }

  #cell({ cells }: Row, field: ColumnField): string {
    const at = this.#reading.mapping[field]
    return at === null ? '' : (cells[at] ?? '')
  }

  #entriesOf(row: Row): readonly EntryRead[] {
    const { mark } = this.#reading
    const text = this.#cell(row, 'amount')
    if (text === '') return [{ leftOut: 'no-amount' }]
    const read = readAmount(text, mark)
    if (read === null) return [{ fault: { place: row.place, what: amountFault(text, mark) } }]
    const total = this.#totalIn(row, read.amount)
    if (total !== null) return this.#asTotal(row, total)
    this.#add(read.amount, read.isNegative)
    if (read.isNegative) return [{ leftOut: 'paid-out' }]
    if (moneyOf(read.amount).isZero()) return [{ leftOut: 'no-amount' }]
    this.#payments.push(row)
    return [this.#lineOf(row, read)]
  }

  #lineOf(row: Row, read: ReadAmount): EntryRead {
    const { place } = row
    const cell = (field: ColumnField): string => this.#cell(row, field)
    if (this.#hasNoDate(row)) {
      const what = `${quoted(cell('amount'))} has no date, unlike other lines. If it is a total or not booked, remove it from the file.`
      return { fault: { place, what } }
    }
    const lost = [cell('reference'), cell('bankReference')].find(isShortened)
    if (lost !== undefined) {
      const what = `${quoted(lost)} was shortened by a spreadsheet. Export the file again and do not open it in a spreadsheet.`
      return { fault: { place, what } }
    }
    const currencies = this.#currenciesOf(row, read.currency)
    if (currencies.length > 1) {
      const what = `The amount is in ${currencies.map(quoted).join(' and ')} at once. Choose the amount’s currency column, or none.`
      return { fault: { place, what } }
    }
    const line = {
      place,
      reference: cell('reference'),
      amount: read.amount,
      currency: currencies[0] ?? '',
      bankReference: cell('bankReference'),
      bookedOn: cell('bookedOn'),
      valueDate: '',
      text: cell('text'),
      payerName: '',
      payerAccount: '',
    }
    return { line }
  }

  #currenciesOf(row: Row, besideAmount: string): readonly string[] {
    const cell = this.#cell(row, 'currency')
    const inColumn = currencyOf(cell) ?? currencyOf(cell.toUpperCase()) ?? cell
    return [...new Set([besideAmount, inColumn, this.#headingCurrency])].filter((currency) => currency !== '')
  }

  #add(amount: string, isNegative: boolean): void {
    const money = moneyOf(amount)
    for (const sums of [this.#sums.all, this.#sums.section]) {
      sums.net = isNegative ? sums.net.minus(money) : plus(sums.net, money)
      if (!isNegative) sums.received = plus(sums.received, money)
    }
  }

  #hasNoDate = ({ cells }: Row): boolean => this.#dates.length > 0 && this.#dates.every((at) => cells[at] === '')

  /** The label of a total row, empty if the row only equals the sum above; null for a payment. */
  #totalIn(row: Row, amount: string): string | null {
    const labels = row.cells.filter((_cell, at) => at !== this.#reading.mapping.amount)
    if (this.#hasNoDate(row)) return labels.find(isTotalLabel) ?? (this.#isSum(amount) ? '' : null)
    const names = [this.#cell(row, 'reference'), this.#cell(row, 'bankReference')]
    if (names.some((name) => name !== '' && !isExactTotalLabel(name))) return null
    // Without dates, a payment may equal the single payment above it.
    const isSum = this.#dates.length === 0 && this.#payments.length > 1 && this.#isSum(amount)
    return labels.find(isExactTotalLabel) ?? (isSum ? '' : null)
  }

  #isSum(amount: string): boolean {
    const money = moneyOf(amount)
    const { all, section } = this.#sums
    const sums = [all.received, all.net, section.received, section.net]
    return sums.some((sum) => !sum.isZero() && sum.absolute().equals(money))
  }

  #asTotal(row: Row, label: string): readonly EntryRead[] {
    this.#sums = { ...this.#sums, section: { received: ZERO, net: ZERO } }
    const why = label === '' ? 'it is the sum of the lines above' : `it is labelled ${quoted(label)}`
    const what = `${quoted(this.#cell(row, 'amount'))} is skipped as a total or balance: ${why}.`
    return [{ leftOut: 'total' }, { remark: { place: row.place, what } }]
  }

  #columnFaults(): readonly EntryRead[] {
    const { mapping, headings, body } = this.#reading
    return (body[0]?.cells ?? []).flatMap((_unused, at) => {
      if (at === mapping.amount) return []
      const heading = headings[at] ?? ''
      const cells = this.#payments.map((row) => row.cells[at] ?? '')
      const judged = judgeColumn(heading, cells, roleOf(mapping, at))
      if (judged === null) return []
      const what = columnFault(judged.says, columnName(heading, at), cells[judged.at] ?? '')
      return [{ fault: { place: this.#payments[judged.at]?.place ?? null, what } }]
    })
  }
}

function roleOf(mapping: ColumnMapping, at: number): ColumnRole {
  if (at === mapping.text) return 'text'
  return FIELDS.some((field) => mapping[field] === at) ? 'mapped' : 'unmapped'
}

function columnFault(says: 'direction' | 'status', name: string, cell: string): string {
  const value = cell === '' ? 'nothing' : quoted(cell)
  const what =
    says === 'direction'
      ? `The column ${name} gives the direction, and this line has ${value} there.`
      : `The column ${name} gives the booking status, and this line has ${value} there.`
  const keep = says === 'direction' ? 'money received' : 'booked payments'
  return `${what} This cannot be imported yet: export ${keep} alone, or camt.053 or MT940.`
}

function amountFault(text: string, mark: DecimalMark): string {
  const isOther = readAmount(text, otherMark[mark]) !== null
  if (isOther) {
    return `${quoted(text)} is not an amount with ${markWords[mark]}. Choose ${markWords[otherMark[mark]]} if all amounts have one.`
  }
  return `${quoted(text)} is not an amount. A sign, a currency and grouped thousands are allowed.`
}

function datesIn({ body, mapping }: Reading): readonly number[] {
  const filled = (at: number) => body.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '')
  if (mapping.bookedOn !== null) return filled(mapping.bookedOn).length > 0 ? [mapping.bookedOn] : []
  const width = body[0]?.cells.length ?? 0
  return Array.from({ length: width }, (_unused, at) => at).filter((at) => {
    const cells = at === mapping.amount ? [] : filled(at)
    return cells.length > 0 && cells.every(isDate)
  })
}
