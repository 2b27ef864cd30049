import 'server-only'
import { type ColumnMark, type DecimalMark, isSigned, judgeMark, signIn } from './amount-text.ts'
import { LINES_ABOVE_MAX, type Row, TOO_MANY } from './csv.ts'
import { judgeDates } from './date-text.ts'
import {
  currenciesIn,
  guessFields,
  isAmountText,
  isBookedTitle,
  isDate,
  isFeeHeading,
  isNotBookedTitle,
  isPlainDirection,
  isReceivedHeading,
  isTotalLabel,
  notReceivedHeading,
} from './headings.ts'
import {
  broken,
  type ColumnField,
  type ColumnMapping,
  type ColumnMeaning,
  type FileFault,
  LINES_MAX,
  type MeaningField,
  type ParsedStatement,
  type TableView,
} from './statement.ts'

const SAMPLE_ROWS = 5
const SAMPLE_CHARS = 240
const VALUES_MAX = 12
const VALUE_MAX_CHARS = 40
const QUOTED_CHARS = 40

export type TableFormat = 'csv' | 'qif' | 'xlsx'

export const FIELDS: readonly ColumnField[] = [
  ...(['reference', 'amount', 'bankReference', 'bookedOn', 'currency', 'text'] as const),
  ...(['paidOut', 'valueDate', 'payerName', 'payerAccount'] as const),
]

const columnsIn = (mapping: ColumnMapping): readonly number[] =>
  [...FIELDS.map((field) => mapping[field]), mapping.direction?.column, mapping.status?.column].filter(
    (at) => at !== null && at !== undefined,
  )

export interface Table {
  readonly rows: readonly Row[]
  readonly headings: boolean
  /** Lines above and below the table. */
  readonly skipped: readonly Row[]
}

export const columnName = (heading: string, at: number): string =>
  heading === '' ? `Column ${at + 1}` : `“${heading.slice(0, QUOTED_CHARS)}”`

export const quoted = (cell: string): string => `“${cell.slice(0, QUOTED_CHARS)}”`

export function readTable(all: readonly Row[]): Table | ParsedStatement {
  const start = startOf(all)
  const [headings = [], ...below] = all.slice(start).map(({ cells }) => cells)
  const named = headings.findLastIndex((cell) => cell !== '') + 1
  const isFull = below.some(
    (cells) => cells.length >= headings.length || cells.slice(named).some((cell) => cell !== ''),
  )
  const width = isFull ? headings.length : named
  const fits = ({ cells }: Row): boolean => cells.length >= width && cells.slice(width).every((cell) => cell === '')
  const end = all.findLastIndex(fits) + 1
  const [before, inside, after] = [all.slice(0, start), all.slice(start, end), all.slice(end)]
  const title = before.findLast((row) => isSectionTitle(row) && !/(?<![\d.,])0+([.,]0+)?\D*$/.test(row.cells[0] ?? ''))
  const isLabelled = ({ cells }: Row) => 1 + lastFilled(cells) < width && cells.some((cell) => cell.endsWith(':'))
  const above = before.filter((row) => mayBePayment(row) && !isLabelled(row))
  const cut = inside.filter((row) => !fits(row) && !isSectionTitle(row))
  const payments = inside.filter(mayBePayment)
  const isDatedFirst = payments.length > 0 && payments.every(({ cells }) => isDate(cells[0] ?? ''))
  const uneven = [...cut, ...after.filter((row) => notAFooter(row, isDatedFirst))]
  if (above.length > 0 || uneven.length > 0) {
    const faults = (rows: readonly Row[], what: string) => rows.map(({ place }) => ({ place, what }))
    return broken(...faults(above, ABOVE), ...faults(uneven, UNEVEN))
  }
  if (inside.length > LINES_MAX + 1) return broken({ place: null, what: TOO_MANY })
  // Some banks end each row, but not the headings, with a delimiter.
  const fitted = (row: Row): Row => ({
    ...row,
    cells: headings.slice(0, width).map((_cell, at) => row.cells[at] ?? ''),
  })
  const [first, ...rest] = inside.map(fitted)
  const hasHeadings = !isPayment(inside.filter((row) => !isSectionTitle(row)).map(fitted))
  // Some banks repeat the headings on each page.
  const isRepeated = ({ cells }: Row): boolean => hasHeadings && cells.every((cell, at) => cell === first?.cells[at])
  const others = rest.filter((row) => !isRepeated(row))
  const isUnbooked = title !== undefined && isNotBookedTitle(title.cells[0] ?? '')
  if (isUnbooked && !hasHeadings) return broken({ place: title.place, what: unbookedWords(title) })
  const rows = [...(first ? [first] : []), ...(isUnbooked ? [fitted(title)] : []), ...others]
  const skipped = [...before, ...after].filter((row) => !isUnbooked || row !== title)
  return { rows, headings: hasHeadings, skipped }
}

const UNEVEN = 'This line has a different number of columns than the table. If it is no payment, remove it.'
const ABOVE =
  'This line above the table has a date and an amount. If it is a payment, move it into the table; otherwise remove it.'

const lastFilled = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '')

/** The first row with known headings, the fullest one above a payment, or the first one as wide as most rows. */
function startOf(all: readonly Row[]): number {
  const first = all.slice(0, LINES_ABOVE_MAX)
  const named = first.findIndex(({ cells }) => {
    const fields = guessFields(cells)
    return fields.amount !== undefined && Object.keys(fields).length > 1 && !cells.some(isDate)
  })
  if (named !== -1) return named
  const above = first.slice(0, Math.max(0, first.findIndex(mayBePayment)))
  const filled = ({ cells }: Row): number => cells.filter((cell) => cell !== '').length
  const last = above.at(-1)
  const payment = first[above.length]?.cells ?? []
  const amounts = amountsIn(payment)
  const isPadded = ({ cells }: Row, at: number) => at < above.length && !amounts.some((column) => cells[column])
  const isWide = last !== undefined && last.cells.length > lastFilled(payment) && filled(last) > 1
  if (
    isWide &&
    !hasFigure(last) &&
    !isPadded(last, above.length - 1) &&
    above.slice(0, -1).every((row) => filled(row) < filled(last))
  )
    return above.length - 1
  const widths = new Map<number, number>()
  for (const { cells } of all) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  const [usual = 0] = [...widths].toSorted(([, one], [, other]) => other - one)[0] ?? []
  const isTitle = (row: Row, at: number): boolean =>
    usual > 1 &&
    (isPadded(row, at) ||
      (filled(row) < 2 &&
        !first[at + 1]?.cells.some((below, column) => isAmountText(below) && Boolean(row.cells[column]))))
  const start = first.findIndex((row, at) => row.cells.length === usual && !isTitle(row, at))
  return start === -1 || first.slice(0, start).some((row, at) => hasFigure(row) && !isPadded(row, at)) ? 0 : start
}

/** Columns of amounts; of those with cents, if there are such. */
function amountsIn(cells: readonly string[]): readonly number[] {
  const all = cells.flatMap((cell, at) => (!isDate(cell) && isAmountText(cell) ? [at] : []))
  const exact = all.filter((at) => /[.,]\d\d?\D*$/.test(cells[at] ?? ''))
  return exact.length > 0 ? exact : all
}

/** The date of another line may be that of a printout. */
export const hasAmount = ({ cells }: Pick<Row, 'cells'>): boolean =>
  cells.some((cell) => !isDate(cell) && isAmountText(cell))

const hasFigure = ({ cells }: Row): boolean => cells.some((cell) => isDate(cell) || isAmountText(cell))

const mayBePayment = ({ cells }: Row): boolean =>
  cells.some(isDate) && hasAmount({ cells }) && !cells.some(isTotalLabel)

const CUT_DATE = /^(\d{1,4}[-./](\d{1,2}[-./])?|20\d\d[-/]\d{1,2}|\d{1,2}([-./])\d{1,2}\3\d{1,3})$/

/** A note of one cell, a total, or a date that has a label. Anything else may be a payment that was cut. */
function notAFooter({ cells }: Row, isDatedFirst: boolean): boolean {
  const [first = '', ...others] = cells.filter((cell) => cell !== '')
  const isLabelled = isDatedFirst && cells[0] !== '' && !/\d/.test(first)
  if (isLabelled && (isTotalLabel(first) || !hasAmount({ cells }))) return false
  if (others.length === 0) return isDate(first) || (cells[0] === first && CUT_DATE.test(first))
  return cells.some(isDate) || !cells.some(isTotalLabel)
}

/** A payment has a date and an amount, or an amount in a column of amounts. */
export function isPayment([first, ...others]: readonly Row[]): boolean {
  const cells = first?.cells ?? []
  if (cells.some(isDate) && hasAmount({ cells })) return true
  return cells.some(
    (cell, at) => isAmountText(cell) && others.length > 0 && others.every((row) => isAmountText(row.cells[at] ?? '')),
  )
}

const isLone = ({ cells }: Row): boolean => cells.slice(1).every((cell) => cell === '')
export const isSectionTitle = (row: Row): boolean =>
  isLone(row) && (isNotBookedTitle(row.cells[0] ?? '') || isBookedTitle(row.cells[0] ?? ''))

export const unbookedWords = ({ cells }: Row): string =>
  `The lines below ${quoted(cells[0] ?? '')} may not be booked. Remove them from the file.`

/** Lines between a title such as “Pending” and the next “Posted”; of a section without end, its title alone. */
export function unbookedIn(body: readonly Row[]): ReadonlySet<Row> {
  const unbooked = new Set<Row>()
  let [title, section]: [Row | null, Row[]] = [null, []]
  for (const row of body) {
    if (!isLone(row)) section.push(row)
    else if (isNotBookedTitle(row.cells[0] ?? '')) [title, section] = title ? [title, section] : [row, []]
    else if (isBookedTitle(row.cells[0] ?? '')) {
      for (const one of title ? section : []) unbooked.add(one)
      title = null
    }
  }
  return title && section.length > 0 ? unbooked.add(title) : unbooked
}

export const bodyOf = ({ rows }: Table, headings: boolean): readonly Row[] => (headings ? rows.slice(1) : rows)

export const cellsOf = (rows: readonly Row[], at: number) =>
  rows.map(({ cells, place, numbers }) => ({ place, text: cells[at] ?? '', isNumber: numbers?.has(at) }))

export function faultBefore({ rows }: Table, mapping: ColumnMapping, headings: readonly string[]): FileFault | null {
  const [first] = rows
  const width = first?.cells.length ?? 0
  const missing = columnsIn(mapping).find((at) => at >= width)
  if (missing !== undefined) {
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
  const paidOut = headings[mapping.paidOut ?? -1] ?? ''
  const isBeside = rows.slice(1).some(({ cells }) => cells[mapping.paidOut ?? -1] && cells[mapping.amount])
  if (isFeeHeading(paidOut) && isBeside && !isReceivedHeading(heading)) {
    return { place, what: `Column ${quoted(paidOut)} has fees, not amounts paid out. Choose another column, or none.` }
  }
  const currencies = currenciesIn(heading)
  if (currencies.length > 1 && mapping.currency === null) {
    const what = `Heading ${quoted(heading)} names ${currencies.join(' and ')}. Choose the currency column.`
    return { place, what }
  }
  return null
}

export function splitAmount(
  body: readonly Row[],
  { amount }: ColumnMapping,
  headings: readonly string[],
): FileFault | null {
  if (body.some(({ cells }) => cells[amount]?.includes(','))) return null
  const isUnnamed = (cell: string, at: number) => at > amount && cell !== '' && (headings[at] ?? '') === ''
  for (const { cells, place } of body) {
    const [text = '', next = ''] = cells.slice(amount)
    if (!cells.some(isUnnamed) || !/^\d{1,3}(?!\d)/.test(next) || !isAmountText(`${text},${next}`)) continue
    const what = `${quoted(text)} and ${quoted(next)} may be one amount: a comma separates the columns, too. Export the file with semicolons.`
    return { place, what }
  }
  return null
}

export function viewOf(table: Table, separator: string): TableView {
  const body = bodyOf(table, table.headings).filter((row) => !isSectionTitle(row))
  const columns = table.rows[0]?.cells ?? []
  return {
    headings: table.headings,
    shape: [separator, ...labelsAbove(table)],
    columns,
    sample: table.rows.slice(1, SAMPLE_ROWS + 1).map(({ cells }) => cells.map((cell) => cell.slice(0, SAMPLE_CHARS))),
    marks: columns.map((_unused, at) => judgeMark(cellsOf(body, at))),
    dates: columns.map((_unused, at) => judgeDates(cellsOf(body.filter(hasAmount), at))),
    values: columns.map((_unused, at) => valuesOf(body.map(({ cells }) => cells[at] ?? ''))),
  }
}

function labelsAbove({ rows, skipped }: Table): readonly string[] {
  const above = skipped.filter(({ place }) => place < (rows[0]?.place ?? 0))
  return above.map(({ cells }) => (cells[0] ?? '').trim()).filter((label) => label !== '' && !/\d/.test(label))
}

export function valuesOf(cells: readonly string[]): readonly string[] {
  const values = new Set<string>()
  for (const cell of cells) {
    if (cell.length > VALUE_MAX_CHARS || isDate(cell) || isAmountText(cell)) return []
    values.add(cell)
    if (values.size > VALUES_MAX) return []
  }
  return values.size === 1 && values.has('') ? [] : [...values]
}

/** Rows whose amount has another sign than their direction, with the fault. */
export function contraryRows(
  body: readonly Row[],
  { direction, amount }: ColumnMapping,
  headings: readonly string[],
): ReadonlyMap<Row, string> {
  const heading = headings[direction?.column ?? -1] ?? ''
  if (!direction || !isPlainDirection(heading, direction)) return new Map()
  const known = body.flatMap((row) => {
    const [text, side] = [row.cells[amount] ?? '', row.cells[direction.column] ?? '']
    const sign = Object.hasOwn(direction.values, side) ? signIn(text) : 0
    return sign === 0 ? [] : [{ row, text, side, isReceived: direction.values[side], isMinus: sign === -1 }]
  })
  const isMarked = known.some(({ isMinus, isReceived }) => isMinus && !isReceived)
  // Beside others without a minus, it is the reversal of one.
  const hasPlus = known.some(({ isMinus, isReceived }) => !isMinus && isReceived)
  const contrary = known.filter(({ text, isMinus, isReceived }) =>
    isReceived ? isMinus && !hasPlus : !isMinus && (isMarked || isSigned(text)),
  )
  const name = columnName(heading, direction.column)
  const words = ({ text, side }: (typeof known)[number]): string =>
    `${quoted(text)} and ${quoted(side)} in column ${name} say opposite directions. Check this line at the bank, and correct or remove it.`
  return new Map(contrary.map((one) => [one.row, words(one)]))
}

export const decidedMark = (mark: ColumnMark | undefined): DecimalMark | null =>
  mark?.verdict === 'point' || mark?.verdict === 'comma' ? mark.verdict : null

type NamedField = 'reference' | 'bankReference' | 'bookedOn' | 'currency' | 'text'
type NewerField = 'paidOut' | 'valueDate' | 'payerName' | 'payerAccount'

interface NamedMeaning {
  readonly column: string
  readonly values: ColumnMeaning['values']
}

/** Earlier versions stored it. Its decimal mark was a default, so it does not decide. */
export type NamedMapping = { readonly [Field in NamedField]: string | null } & {
  readonly [Field in NewerField]?: string | null
} & { readonly [Field in MeaningField]?: NamedMeaning | null } & {
  readonly amount: string
  readonly decimalMark: DecimalMark | null
  readonly currencyCode?: string | null
  readonly dateOrder?: ColumnMapping['dateOrder']
}

export type AnyMapping = ColumnMapping | NamedMapping

export function positionsOf(view: TableView, named: NamedMapping): ColumnMapping | readonly FileFault[] {
  const faults: FileFault[] = []
  const at = (heading: string | null | undefined): number | null => {
    if (heading === null || heading === undefined) return null
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
  const meaning = (one: NamedMeaning | null | undefined): ColumnMeaning | null => {
    const column = at(one?.column)
    return one && column !== null ? { column, values: one.values } : null
  }
  const amount = at(named.amount)
  const fields = {
    ...{ reference: at(named.reference), bankReference: at(named.bankReference), bookedOn: at(named.bookedOn) },
    ...{ currency: at(named.currency), text: at(named.text), paidOut: at(named.paidOut) },
    ...{ valueDate: at(named.valueDate), payerName: at(named.payerName), payerAccount: at(named.payerAccount) },
    ...{ direction: meaning(named.direction), status: meaning(named.status) },
  }
  if (faults.length > 0 || amount === null) return faults
  const isOpen = view.marks[amount]?.verdict === 'undecided'
  const { decimalMark, currencyCode = null, dateOrder } = named
  return { headings: true, ...fields, amount, decimalMark: isOpen ? null : decimalMark, currencyCode, dateOrder }
}
