import 'server-only'
import { currencyOf, signIn } from './amount-text.ts'
import type { Row } from './csv.ts'
import { currenciesIn, guessFields, guessMeaning, isPaidOutHeading, isReceivedHeading } from './headings.ts'
import type { ColumnMeaning, DraftMapping, TableView } from './statement.ts'
import { bodyOf, decidedMark, type Table } from './table.ts'

export function guessMapping({ headings, columns, marks, values }: TableView, table: Table): DraftMapping {
  const found = headings ? guessFields(namedCurrency(columns, values)) : {}
  const { reference = null, amount = null, bankReference = null, bookedOn = null, currency = null, text = null } = found
  const { valueDate = null, payerName = null, payerAccount = null } = found
  const mark = amount === null ? undefined : marks[amount]
  const paidOutAt = headings ? columns.findIndex(isPaidOutHeading) : -1
  const paidOut = paidOutAt === -1 || paidOutAt === amount ? null : paidOutAt
  const direction = guessMeaning('direction', headings ? columns : [], values)
  const hasSides = paidOut !== null && isReceivedHeading(columns[amount ?? -1] ?? '')
  const isSaid = direction !== null && (hasSides || signsSay(direction, bodyOf(table, headings), amount, values))
  return {
    ...{ headings, reference, amount, bankReference, bookedOn, currency, text, decimalMark: decidedMark(mark) },
    ...{ paidOut, valueDate, payerName, payerAccount, direction: isSaid ? null : direction },
    status: guessMeaning('status', headings ? columns : [], values),
    dateOrder: null,
  }
}

/** Names the only column of currency codes: `Valuta` is the currency or the value date. */
function namedCurrency(columns: readonly string[], values: TableView['values']): readonly string[] {
  const isCode = (text: string): boolean => /^(?!TOP|ALL)[A-Z]{3}$/.test(text) && currencyOf(text) !== null
  const [at, ...others] = columns.flatMap((heading, one) => {
    const texts = /orig|foreign|fremd|local|fee|gebühr/i.test(heading) ? [] : (values[one] ?? [])
    return texts.length > 0 && texts.every(isCode) ? [one] : []
  })
  const { currency, amount = -1 } = guessFields(columns)
  if (at === undefined || others.length > 0 || currency !== undefined || currenciesIn(columns[amount] ?? '').length > 0)
    return columns
  return columns.with(at, 'Currency')
}

/** The signs say it already, or the column gives kinds of payments beside signs. */
function signsSay(
  { column, values }: ColumnMeaning,
  body: readonly Row[],
  amount: number | null,
  texts: TableView['values'],
): boolean {
  const rows = body.map(({ cells }) => ({ sign: signIn(cells[amount ?? -1] ?? ''), text: cells[column] ?? '' }))
  const known = rows.filter(({ sign, text }) => sign !== 0 && Object.hasOwn(values, text))
  const isOfKinds = texts[column]?.some((text) => text !== '' && !Object.hasOwn(values, text)) === true
  if (isOfKinds) return [-1, 1].every((side) => rows.some(({ sign }) => sign === side))
  return known.some(({ sign }) => sign === -1) && known.every(({ sign, text }) => values[text] === (sign === 1))
}
