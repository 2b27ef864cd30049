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
          text: textOfDetails(transaction.details),
        })
      }
    }
  }
  return faults.length > 0 ? broken(...faults) : whole('mt940', lines, leftOut)
}

/** German banks cut the text into numbered parts: a code of the business first, then `?20`, `?21` and so on. */
const IN_PARTS = /^\d{3}\?\d{2}/

/** The free text of tag 86, over however many lines; of one that is cut into parts, the parts without their numbers. */
function textOfDetails(details: string): string {
  const text = details.replaceAll('\n', ' ')
  const parts = IN_PARTS.test(text) ? text.slice(3).replaceAll(/\?\d{2}/g, ' ') : text
  return parts.replaceAll(/ {2,}/g, ' ').trim()
}

/** In which lines of the file the statement lines stand. */
const placesOf = (text: string): readonly number[] =>
  text.split(/\r?\n/).flatMap((line, index) => (line.startsWith(':61:') ? [index + 1] : []))
