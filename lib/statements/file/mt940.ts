import 'server-only'
import { Parser } from 'mt940js'
import { amountText } from './amount-text.ts'
import { broken, type FileFault, type ParsedStatement, type StatementLine, whole } from './statement.ts'

/** Indicator and amount of a statement line (tag 61): the library reads the amount into a number, which money is not. */
const LINE_AMOUNT = /^\d{6}(?:\d{4})?(R?[DC])[A-Z]?([0-9,]{1,16})/

/** Customer references that say there is none (SWIFT). */
const NO_REFERENCE = new Set(['NONREF', ''])

/** Reads a SWIFT MT940 statement: credits, with the reference of tag 61 and the text of tag 86. */
export function parseMt940(text: string): ParsedStatement {
  let statements: ReturnType<Parser['parse']>
  try {
    statements = new Parser({ no86Structure: true }).parse(text, true)
  } catch (error) {
    return broken({
      place: null,
      what: `The file cannot be read as MT940: ${error instanceof Error ? error.message : 'unknown fault'}.`,
    })
  }
  const places = placesOf(text)
  const [lines, faults]: [StatementLine[], FileFault[]] = [[], []]
  let [index, leftOut] = [0, 0]
  for (const { currency, transactions, tags } of statements) {
    const raw = tags.filter(({ id }) => String(id).startsWith('61')).map(({ data }) => data)
    for (const [at, transaction] of transactions.entries()) {
      const place = places[index] ?? 0
      index += 1
      const [, indicator, digits = ''] = LINE_AMOUNT.exec(raw[at] ?? '') ?? []
      const amount = amountText(digits, 'comma')
      if (indicator === undefined || amount === null) faults.push({ place, what: 'The amount cannot be read.' })
      else if (indicator !== 'C') leftOut += 1
      else {
        lines.push({
          place,
          reference: NO_REFERENCE.has(transaction.reference.trim()) ? '' : transaction.reference.trim(),
          amount,
          currency,
          bankReference: transaction.bankReference.trim(),
          bookedOn: transaction.date.toISOString().slice(0, 10),
          text: transaction.details.replaceAll('\n', ' ').trim(),
        })
      }
    }
  }
  return faults.length > 0 ? broken(...faults) : whole('mt940', lines, leftOut)
}

/** In which lines of the file the statement lines stand. */
const placesOf = (text: string): readonly number[] =>
  text.split(/\r?\n/).flatMap((line, index) => (line.startsWith(':61:') ? [index + 1] : []))
