import 'server-only'
import { formatCount } from '#lib/values/words.ts'
import {
  currencyOf,
  type DecimalMark,
  isSigned,
  judgeMark,
  moneyOf,
  plus,
  type ReadAmount,
  readAmount,
  signIn,
  ZERO,
} from './amount-text.ts'
import type { Row } from './csv.ts'
import { type DateOrder, isPastMonthEnd, readDate } from './date-text.ts'
import {
  type ColumnRole,
  currenciesIn,
  firstUnmarked,
  isAmountText,
  isCellError,
  isDate,
  isExactTotalLabel,
  isFeeWord,
  isNotBooked,
  isReceivedHeading,
  isShortened,
  isTotalLabel,
  judgeColumn,
} from './headings.ts'
import {
  broken,
  type ColumnField,
  type ColumnMapping,
  type Debit,
  type EntryRead,
  type FileFault,
  type MeaningField,
  type ParsedStatement,
  statementOf,
} from './statement.ts'
import {
  bodyOf,
  cellsOf,
  columnName,
  contraryRows,
  decidedMark,
  FIELDS,
  faultBefore,
  isSectionTitle,
  quoted,
  splitAmount,
  type Table,
  type TableFormat,
  unbookedIn,
  unbookedWords,
  valuesOf,
} from './table.ts'
import { dateColumnsIn, dateOrderIn, isBlank } from './table-dates.ts'

const IDENTIFYING = ['reference', 'bankReference', 'bookedOn', 'valueDate', 'currency'] as const

const markWords: Readonly<Record<DecimalMark, string>> = { point: 'a decimal point', comma: 'a decimal comma' }
const otherMark: Readonly<Record<DecimalMark, DecimalMark>> = { point: 'comma', comma: 'point' }

interface TableSource {
  readonly format: TableFormat
  readonly separator: string
}

export function readLines(table: Table, mapping: ColumnMapping, { format, separator }: TableSource): ParsedStatement {
  const body = bodyOf(table, mapping.headings)
  const headings = mapping.headings ? (table.rows[0]?.cells ?? []) : []
  const before =
    faultBefore(table, mapping, headings) ?? (separator === ',' ? splitAmount(body, mapping, headings) : null)
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
  const dates = dateOrderIn(body, mapping)
  if ('fault' in dates) return broken(dates.fault)
  const reading = { body, headings, mapping, mark: mark ?? 'point', dateOrder: dates.order }
  return new TableReader(reading).read(format, [...skippedRemark(table), ...dates.remarks])
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

interface Reading {
  readonly body: readonly Row[]
  readonly headings: readonly string[]
  readonly mapping: ColumnMapping
  readonly mark: DecimalMark
  readonly dateOrder: DateOrder | null
}

/** Some banks write a dash for no amount. */
const NO_AMOUNT = /^[-\u2212\u2013\u2014]$/

class TableReader {
  readonly #reading: Reading
  readonly #payments: Row[] = []
  readonly #dates: readonly number[]
  readonly #unbooked: ReadonlySet<Row>
  readonly #contrary: ReadonlyMap<Row, string>
  readonly #headingCurrency: string
  #movements = 0
  /** Over all rows, and since the last total. `net` subtracts payments out. */
  #sums = { all: { received: ZERO, net: ZERO }, section: { received: ZERO, net: ZERO } }

  constructor(reading: Reading) {
    this.#reading = reading
    this.#dates = dateColumnsIn(reading.body, reading.mapping)
    this.#unbooked = unbookedIn(reading.body)
    this.#contrary = contraryRows(reading.body, reading.mapping, reading.headings)
    const [currency = ''] = currenciesIn(reading.headings[reading.mapping.amount] ?? '')
    this.#headingCurrency = currency
  }

  read(format: TableFormat, remarks: readonly EntryRead[]): ParsedStatement {
    const entries = this.#reading.body.flatMap((row) => this.#entriesOf(row))
    // Column faults come first, because they often explain row faults.
    return statementOf(format, [...this.#columnFaults(), ...this.#signFaults(), ...remarks, ...entries])
  }

  #cell({ cells }: Row, field: ColumnField): string {
    const at = this.#reading.mapping[field]
    return at === null || at === undefined ? '' : (cells[at] ?? '')
  }

  #entriesOf(row: Row): readonly EntryRead[] {
    const { mapping } = this.#reading
    const markAt = (at = -1) => (row.numbers?.has(at) ? 'point' : this.#reading.mark)
    const [mark, paidOutMark] = [markAt(mapping.amount), markAt(mapping.paidOut ?? undefined)]
    const fault = (what: string): readonly EntryRead[] => [{ fault: { place: row.place, what } }]
    const [text = '', paidOutText = ''] = (['amount', 'paidOut'] as const).map((field) =>
      this.#cell(row, field).replace(NO_AMOUNT, ''),
    )
    const isUnbooked = this.#unbooked.has(row)
    if (isSectionTitle(row)) return isUnbooked ? fault(unbookedWords(row)) : []
    if (isUnbooked) return [{ leftOut: 'not-booked' }]
    if ((['bookedOn', 'valueDate'] as const).some((field) => isNotBooked(this.#cell(row, field))))
      return [{ leftOut: 'not-booked' }]
    const label = isCellError(text) ? this.#totalIn(row, '0') : null
    if (label !== null) return this.#asTotal(row, label)
    const paidOut = paidOutText === '' ? null : readAmount(paidOutText, paidOutMark)
    if (paidOutText !== '' && paidOut === null) return fault(amountFault(paidOutText, paidOutMark))
    const isPaidOut = paidOut !== null && !moneyOf(paidOut.amount).isZero()
    if (text === '' && isPaidOut) return this.#asPaidOut(row, paidOut)
    if (text === '') return [{ leftOut: 'no-amount' }]
    const read = readAmount(text, mark)
    if (read === null) return fault(amountFault(text, mark))
    const isZero = moneyOf(read.amount).isZero()
    const total = this.#totalIn(row, read.amount)
    if (total !== null) return this.#asTotal(row, total)
    const [isReceived, isBooked] = [this.#meaning(row, 'direction'), this.#meaning(row, 'status')]
    for (const unknown of [isReceived, isBooked]) if (typeof unknown === 'string') return fault(unknown)
    const contrary = this.#contrary.get(row)
    if (contrary !== undefined) return fault(contrary)
    // Some banks repeat amounts with their sign in columns of their own.
    const isSame = read.isNegative && paidOut?.amount === read.amount
    if (isPaidOut && (isZero || isSame)) return this.#asPaidOut(row, paidOut)
    if (isPaidOut) return fault('This line has an amount received and an amount paid out. Check the columns.')
    if (isBooked === false) return [{ leftOut: 'not-booked' }]
    if (read.isNegative || isReceived === false) return this.#asPaidOut(row, read)
    const what = `${quoted(text)} is the sum of the lines above. It may be a balance or total, and no payment.`
    const remarks = this.#mayBeBalance(row, read.amount) ? [{ remark: { place: row.place, what } }] : []
    this.#add(read.amount, false)
    if (isZero) return [{ leftOut: 'no-amount' }]
    this.#payments.push(row)
    return [...remarks, this.#lineOf(row, read)]
  }

  #asPaidOut(row: Row, { amount, currency: besideAmount }: ReadAmount): readonly EntryRead[] {
    this.#add(amount, true)
    const references = [this.#cell(row, 'reference'), this.#cell(row, 'bankReference')]
    const [currency = ''] = this.#currenciesOf(row, besideAmount)
    const day = this.#date(row, 'bookedOn')
    const bookedOn = typeof day === 'string' ? day : ''
    const names = { references, text: this.#cell(row, 'text'), bookedOn, where: `line ${formatCount(row.place)}` }
    const debit: Debit = { account: '', amount, currency, isReversal: false, ...names }
    return [{ leftOut: 'paid-out', debit }]
  }

  /** As written if the order of day and month is not certain, or if it is no date or no day of its month. */
  #date(row: Row, field: 'bookedOn' | 'valueDate'): string | FileFault {
    const { dateOrder } = this.#reading
    const text = this.#cell(row, field)
    const day = dateOrder === null ? undefined : readDate(text, dateOrder)
    if (day === null && !(field === 'valueDate' && isPastMonthEnd(text)))
      return { place: row.place, what: `The date ${quoted(text)} does not exist. Export the file again.` }
    return day ?? text
  }

  /** Words if the text is not mapped; null if no column is. */
  #meaning({ cells }: Row, field: MeaningField): boolean | string | null {
    const meaning = this.#reading.mapping[field]
    if (meaning === null || meaning === undefined) return null
    const text = cells[meaning.column] ?? ''
    if (Object.hasOwn(meaning.values, text)) return meaning.values[text] ?? null
    const name = columnName(this.#reading.headings[meaning.column] ?? '', meaning.column)
    return `${text === '' ? 'An empty cell' : quoted(text)} in column ${name} is not mapped. Map the columns again.`
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
    const error = IDENTIFYING.map(cell).find(isCellError)
    if (error !== undefined) return { fault: { place, what: errorFault(error) } }
    const currencies = this.#currenciesOf(row, read.currency)
    if (currencies.length > 1) {
      const what = `The amount is in ${currencies.map(quoted).join(' and ')} at once. Choose the amount’s currency column, or none.`
      return { fault: { place, what } }
    }
    const [bookedOn, valueDate] = [this.#date(row, 'bookedOn'), this.#date(row, 'valueDate')]
    if (typeof bookedOn !== 'string') return { fault: bookedOn }
    if (typeof valueDate !== 'string') return { fault: valueDate }
    const line = {
      account: '',
      place,
      reference: cell('reference'),
      amount: read.amount,
      currency: currencies[0] ?? '',
      bankReference: cell('bankReference'),
      bookedOn,
      valueDate,
      text: cell('text'),
      payerName: cell('payerName'),
      payerAccount: cell('payerAccount'),
    }
    return { line }
  }

  #currenciesOf(row: Row, besideAmount: string): readonly string[] {
    const cell = this.#cell(row, 'currency')
    const inColumn = currencyOf(cell) ?? currencyOf(cell.toUpperCase()) ?? cell
    const named = [...new Set([besideAmount, inColumn, this.#headingCurrency])].filter((currency) => currency !== '')
    return named.length === 0 && this.#reading.mapping.currencyCode ? [this.#reading.mapping.currencyCode] : named
  }

  #add(amount: string, isNegative: boolean): void {
    const money = moneyOf(amount)
    if (!money.isZero()) this.#movements += 1
    for (const sums of [this.#sums.all, this.#sums.section]) {
      sums.net = isNegative ? sums.net.minus(money) : plus(sums.net, money)
      if (!isNegative) sums.received = plus(sums.received, money)
    }
  }

  #hasNoDate = ({ cells }: Row): boolean =>
    this.#dates.length > 0 && this.#dates.every((at) => isBlank(cells[at] ?? '') || isTotalLabel(cells[at] ?? ''))

  /** The label of a total row, empty if the row only equals the sum above; null for a payment. */
  #totalIn(row: Row, amount: string): string | null {
    const labels = row.cells.filter((_cell, at) => at !== this.#reading.mapping.amount)
    if (this.#hasNoDate(row)) return labels.find(isTotalLabel) ?? (this.#isSum(amount) ? '' : null)
    const names = (['reference', 'bankReference', 'payerName', 'payerAccount'] as const).map((one) =>
      this.#cell(row, one),
    )
    if (names.some((name) => name !== '' && !isExactTotalLabel(name))) return null
    // Without dates, a payment may equal the single payment above it.
    const isSum = this.#dates.length === 0 && this.#payments.length > 1 && this.#isSum(amount)
    return labels.find(isExactTotalLabel) ?? (isSum ? '' : null)
  }

  /** In a language that no list of labels has. */
  #mayBeBalance(row: Row, amount: string): boolean {
    if (this.#dates.length === 0 || this.#movements < 2 || !this.#isSum(amount)) return false
    const names = this.#namesIn(row)
    const isReferred = (['reference', 'bankReference'] as const).some((field) => {
      const reference = this.#cell(row, field)
      return (
        /\d/.test(reference) || (reference !== '' && this.#payments.some((one) => this.#cell(one, field) === reference))
      )
    })
    if (names.length > 1 || /\d/.test(`${names}`) || isReferred) return false
    return this.#payments.every((one) => `${this.#namesIn(one)}` !== `${names}`)
  }

  /** What tells it from other payments. */
  #namesIn({ cells }: Row): readonly string[] {
    return cells.filter(
      (cell, at) =>
        at !== this.#reading.mapping.amount &&
        !(cell === '' || isDate(cell) || (isAmountText(cell) && /[.,]/.test(cell))) &&
        this.#payments.some((one) => one.cells[at] !== cell),
    )
  }

  #isSum(amount: string): boolean {
    const money = moneyOf(amount)
    const { all, section } = this.#sums
    const sums = [all.received, all.net, section.received, section.net]
    return sums.some((sum) => !sum.isZero() && sum.equals(money))
  }

  #asTotal(row: Row, label: string): readonly EntryRead[] {
    this.#sums = { ...this.#sums, section: { received: ZERO, net: ZERO } }
    const why = label === '' ? 'it is the sum of the lines above' : `it is labelled ${quoted(label)}`
    const what = `${quoted(this.#cell(row, 'amount'))} is skipped as a total or balance: ${why}.`
    return [{ leftOut: 'total' }, { remark: { place: row.place, what } }]
  }

  /** Without signs, amounts may be paid out. */
  #signFaults(): readonly EntryRead[] {
    const { mapping, headings, body } = this.#reading
    const hasSign = (row: Row) => isSigned(this.#cell(row, 'amount'))
    const row = this.#payments.find((one) => !hasSign(one))
    if (mapping.direction || typeof mapping.paidOut === 'number' || row === undefined) return []
    if (isReceivedHeading(headings[mapping.amount] ?? '')) return []
    if (this.#payments.some(hasSign)) {
      const what = `${quoted(this.#cell(row, 'amount'))} has no sign, but other amounts have CR or a plus. Map a column of directions, or export money received alone.`
      return [{ fault: { place: row.place, what } }]
    }
    if (body.some(hasSign)) return []
    return (body[0]?.cells ?? []).flatMap((_unused, at) => {
      const heading = headings[at] ?? ''
      const cells = this.#payments.map((one) => one.cells[at] ?? '')
      const first = firstUnmarked(heading, cells, roleOf(mapping, at))
      if (first === -1 || judgeColumn(heading, cells, roleOf(mapping, at)) !== null) return []
      if (at === mapping.status?.column || valuesOf(cells).length === 0) return []
      const what = `The amounts have no sign, and this line has ${cellName(cells[first])} in column ${columnName(heading, at)}. If that may be money paid out, map the column as direction; otherwise map its texts as received.`
      return [{ fault: { place: this.#payments[first]?.place ?? null, what } }]
    })
  }

  #columnFaults(): readonly EntryRead[] {
    const { mapping, headings, body } = this.#reading
    const hasMinus = body.some((row) => signIn(this.#cell(row, 'amount')) === -1)
    return (body[0]?.cells ?? []).flatMap((_unused, at) => {
      const isMeaning = at === mapping.direction?.column || at === mapping.status?.column
      if (at === mapping.amount || isMeaning) return []
      const heading = headings[at] ?? ''
      const cells = this.#payments.map((row) => row.cells[at] ?? '')
      const sides = hasMinus ? cells.map((cell) => (isFeeWord(cell) ? '' : cell)) : cells
      const judged = judgeColumn(heading, sides, roleOf(mapping, at))
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

const cellName = (cell = ''): string => (cell === '' ? 'nothing' : quoted(cell))

function columnFault(says: 'direction' | 'status', name: string, cell: string): string {
  const what =
    says === 'direction'
      ? `The column ${name} gives the direction, and this line has ${cellName(cell)} there.`
      : `The column ${name} gives the booking status, and this line has ${cellName(cell)} there.`
  const keep = says === 'direction' ? 'money received' : 'booked payments'
  return `${what} Map this column, or export ${keep} alone.`
}

const errorFault = (text: string): string =>
  `${quoted(text)} is a spreadsheet error. Open the file, correct the cell and save the file again.`

function amountFault(text: string, mark: DecimalMark): string {
  if (isCellError(text)) return errorFault(text)
  const isOther = readAmount(text, otherMark[mark]) !== null
  if (isOther) {
    return `${quoted(text)} is not an amount with ${markWords[mark]}. Choose ${markWords[otherMark[mark]]} if all amounts have one.`
  }
  return `${quoted(text)} is not an amount. A sign, a currency and grouped thousands are allowed.`
}
