import 'server-only'
import { Money } from '#lib/values/money.ts'

export type DecimalMark = 'point' | 'comma'

export interface ReadAmount {
  /** Decimal text with a point, without sign and grouping. */
  readonly amount: string
  readonly isNegative: boolean
  readonly currency: string
}

const AMOUNT_MAX_CHARS = 64
const GROUPING = ` \u00a0\u202f'’`

function figurePattern(decimal: string, grouping: string): RegExp {
  const three = `[1-9]\\d{0,2}(?<three>[${grouping}])\\d{3}(?:\\k<three>\\d{3})*`
  const indian = `[1-9]\\d?(?<two>[${grouping}])\\d{2}(?:\\k<two>\\d{2})*\\k<two>\\d{3}`
  return new RegExp(`^(?<whole>\\d*|${three}|${indian})(?:[${decimal}](?<places>\\d{0,8}))?$`)
}

const FIGURES: Readonly<Record<DecimalMark, RegExp>> = {
  point: figurePattern('.', `${GROUPING},`),
  comma: figurePattern(',', `${GROUPING}.`),
}

const CURRENCY_CODES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'JDX'])

/** `$` alone is the sign of many currencies. */
const CURRENCY_SIGNS: ReadonlyMap<string, string> = new Map([
  ['BZ$', 'BZD'],
  ['US$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['$', ''],
])

const CURRENCY = String.raw`(?:BZ\$|US\$|[$€£]|[A-Z]{3})`
const SIGN = '[-+\u2212\u2013]'
const LEADING = new RegExp(`^(?:(?<sign>${SIGN})|(?<currency>${CURRENCY}))[ \u00a0\u202f]*`)
/** `CR` for money received, `DR` for money paid out. */
const TRAILING = new RegExp(`[ \u00a0\u202f]*(?:(?<sign>${SIGN})|(?<side>[CcDd][Rr])|(?<currency>${CURRENCY}))$`)

/** As in `250.-`. */
const NO_CENTS_OR_MINUS = /\d[.,][-\u2212\u2013]/

/** Empty for an ambiguous sign, null for an unknown one. */
export function currencyOf(text: string): string | null {
  const sign = CURRENCY_SIGNS.get(text)
  if (sign !== undefined) return sign
  return CURRENCY_CODES.has(text) ? text : null
}

interface Parts {
  readonly figure: string
  readonly signs: readonly string[]
  readonly currencies: readonly string[]
}

function partsOf(text: string): Parts {
  let figure = text
  const [signs, currencies]: [string[], string[]] = [[], []]
  if (/^\(.*\)$/.test(figure)) {
    figure = figure.slice(1, -1).trim()
    signs.push('-')
  }
  for (const pattern of [LEADING, LEADING, TRAILING, TRAILING]) {
    const found = pattern.exec(figure)
    if (found === null) continue
    figure = figure.replace(pattern, '')
    const { sign, side, currency } = found.groups ?? {}
    if (sign !== undefined) signs.push(sign)
    if (side !== undefined) signs.push(/^c/i.test(side) ? '+' : '-')
    if (currency !== undefined) currencies.push(currency)
  }
  return { figure, signs, currencies }
}

/** Strict: groups of three, or Indian twos before the last three, with one grouping mark. Otherwise null. */
export function readAmount(text: string, mark: DecimalMark): ReadAmount | null {
  const trimmed = text.trim()
  if (trimmed.length > AMOUNT_MAX_CHARS || !/\d/.test(trimmed) || NO_CENTS_OR_MINUS.test(trimmed)) return null
  const { figure, signs, currencies } = partsOf(trimmed)
  const { whole, places } = FIGURES[mark].exec(figure)?.groups ?? {}
  const currency = currencies[0] === undefined ? '' : currencyOf(currencies[0])
  if (whole === undefined || signs.length > 1 || currencies.length > 1 || currency === null) return null
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  const amount = places ? `${digits}.${places}` : digits
  if (Money.fromWire(amount) === null) return null
  return { amount, isNegative: signs.length === 1 && signs[0] !== '+', currency }
}

/** `CR` and `DR` are signs, too. */
export const isSigned = (text: string): boolean => /\d/.test(text) && partsOf(text.trim()).signs.length > 0

/** 0 for zero and for texts that are no amounts. */
export function signIn(text: string): -1 | 0 | 1 {
  const read = readAmount(text, 'point') ?? readAmount(text, 'comma')
  if (read === null || !/[1-9]/.test(text)) return 0
  return read.isNegative ? -1 : 1
}

export function plainDecimal(text: string, mark: DecimalMark): string | null {
  const decimal = mark === 'comma' ? /^\d+(,\d*)?$/ : /^\+?(\d+(\.\d*)?|\.\d+)$/
  return decimal.test(text) ? (readAmount(text, mark)?.amount ?? null) : null
}

export interface Cell {
  readonly place: number
  readonly text: string
  /** Of a workbook. It has a decimal point, whatever mark texts have. */
  readonly isNumber?: boolean | undefined
}

export interface CellExample extends Cell {
  readonly readings: Readonly<Record<DecimalMark, string | null>>
}

/** `undecided`: cells such as `1.080` have two readings. `whole`: none depends on the mark. `mixed`: both marks. */
export interface ColumnMark {
  readonly verdict: DecimalMark | 'undecided' | 'whole' | 'mixed' | 'no-amounts'
  readonly deciding: number
  readonly examples: readonly CellExample[]
}

export function judgeMark(cells: Iterable<Cell>): ColumnMark {
  const found: Partial<Record<DecimalMark | 'undecided' | 'number', CellExample>> = {}
  let [deciding, amounts] = [0, 0]
  for (const { place, text, isNumber } of cells) {
    const readings = { point: readingOf(text, 'point'), comma: readingOf(text, 'comma') }
    const { point, comma } = readings
    if (point === null && comma === null) continue
    amounts += 1
    if (point === comma) continue
    const only = point === null ? 'comma' : 'point'
    const ofText = point !== null && comma !== null ? 'undecided' : only
    const kind = isNumber ? 'number' : ofText
    found[kind] ??= { place, text, readings }
    if (kind !== 'undecided') deciding += 1
  }
  const { point = found.undecided || found.comma ? undefined : found.number, comma, undecided } = found
  if (point !== undefined && comma !== undefined) return { verdict: 'mixed', deciding, examples: [point, comma] }
  if (point !== undefined) return { verdict: 'point', deciding, examples: [point] }
  if (comma !== undefined) return { verdict: 'comma', deciding, examples: [comma] }
  if (undecided !== undefined) return { verdict: 'undecided', deciding, examples: [undecided] }
  return { verdict: amounts > 0 ? 'whole' : 'no-amounts', deciding, examples: [] }
}

const readingOf = (text: string, mark: DecimalMark): string | null => readAmount(text, mark)?.amount ?? null

export const ZERO = moneyOf('0')

/** `Money` has no addition. */
export const plus = (sum: Money, more: Money): Money => sum.minus(ZERO.minus(more))

export function moneyOf(amount: string): Money {
  const money = Money.fromWire(amount)
  if (money === null) throw new Error('an amount was read that is no decimal text')
  return money
}
