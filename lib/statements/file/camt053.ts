import 'server-only'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { amountText } from './amount-text.ts'
import { broken, type FileFault, type ParsedStatement, type StatementLine, whole } from './statement.ts'

/** An element: text, or its children by name. */
type Node = string | { readonly [name: string]: Node | readonly Node[] }

/** Tags and attributes as text, nothing guessed; no entities beyond the five of XML. */
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
})

const all = (node: Node | undefined, name: string): readonly Node[] => {
  const found = typeof node === 'object' ? node[name] : undefined
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found as Node]
}

/** The first element along a path. */
const at = (node: Node | undefined, ...path: readonly string[]): Node | undefined =>
  path.reduce<Node | undefined>((here, name) => all(here, name)[0], node)

/** The text of the element at a path; empty when there is none. */
function textAt(node: Node | undefined, ...path: readonly string[]): string {
  const found = at(node, ...path)
  if (typeof found === 'string') return found
  const text = found?.['#text']
  return typeof text === 'string' ? text : ''
}

/** EndToEndId says so when the payer gave none (ISO 20022). */
const NOT_PROVIDED = 'NOTPROVIDED'

/** Undefined where the XML is broken. Throws a RangeError where elements nest deeper than the 100 levels that the parser allows. */
function parseXml(text: string): Node | undefined {
  try {
    return parser.parse(text) as Node
  } catch (error) {
    const isTooDeep = error instanceof Error && /nested tags/.test(error.message)
    if (isTooDeep) throw new RangeError('elements nest too deep', { cause: error })
    return undefined
  }
}

/** Reads an ISO 20022 bank statement, camt.053 of any version: booked credits, each payment of a batch by itself. */
export function parseCamt053(text: string): ParsedStatement {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    return broken({ place: null, what: 'The file declares XML entities; a bank statement has none.' })
  }
  const document = parseXml(text)
  const valid = XMLValidator.validate(text)
  if (valid !== true) return broken({ place: valid.err.line, what: `The XML is broken: ${valid.err.msg}` })
  const statements = all(at(document, 'Document', 'BkToCstmrStmt'), 'Stmt')
  if (statements.length === 0) return broken({ place: null, what: 'The file is XML, but no camt.053 statement.' })
  const [lines, faults]: [StatementLine[], FileFault[]] = [[], []]
  let [place, leftOut] = [0, 0]
  for (const entry of statements.flatMap((statement) => all(statement, 'Ntry'))) {
    place += 1
    if (!isMoneyReceived(entry)) leftOut += 1
    else {
      for (const line of paymentsOf(entry, place)) {
        if ('what' in line) faults.push(line)
        else lines.push(line)
      }
    }
  }
  return faults.length > 0 ? broken(...faults) : whole('camt.053', lines, leftOut)
}

function isMoneyReceived(entry: Node): boolean {
  // Status is a text in older versions and a code below it in newer ones.
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
  return textAt(entry, 'CdtDbtInd') === 'CRDT' && status === 'BOOK' && textAt(entry, 'RvslInd') !== 'true'
}

function paymentsOf(entry: Node, place: number): (StatementLine | FileFault)[] {
  const payments = all(entry, 'NtryDtls').flatMap((details) => all(details, 'TxDtls'))
  if (payments.length <= 1) return [lineOf(entry, payments[0], place, at(entry, 'Amt'))]
  return payments.map((payment) =>
    lineOf(entry, payment, place, at(payment, 'Amt') ?? at(payment, 'AmtDtls', 'TxAmt', 'Amt')),
  )
}

function lineOf(
  entry: Node,
  payment: Node | undefined,
  place: number,
  money: Node | undefined,
): StatementLine | FileFault {
  const amount = amountText(textAt(money), 'point')
  if (amount === null) return { place, what: 'An amount is missing or cannot be read.' }
  return {
    place,
    reference: referenceOf(payment),
    amount,
    currency: textAt(money, '@Ccy'),
    bankReference: textAt(payment, 'Refs', 'AcctSvcrRef') || textAt(entry, 'AcctSvcrRef') || textAt(entry, 'NtryRef'),
    bookedOn: textAt(entry, 'BookgDt', 'Dt') || textAt(entry, 'BookgDt', 'DtTm'),
    text: all(at(payment, 'RmtInf'), 'Ustrd')
      .map((part) => textAt(part))
      .join(' '),
  }
}

/** The structured creditor reference, else the end-to-end id. */
function referenceOf(payment: Node | undefined): string {
  const creditor = textAt(payment, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref')
  if (creditor !== '') return creditor
  const endToEnd = textAt(payment, 'Refs', 'EndToEndId')
  return endToEnd === NOT_PROVIDED ? '' : endToEnd
}
