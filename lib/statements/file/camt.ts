import 'server-only'
import { XMLValidator } from 'fast-xml-parser'
import type { Money } from '#lib/values/money.ts'
import { expectedDay, isDay } from '#lib/values/time.ts'
import { counted } from '#lib/values/words.ts'
import { moneyOf, plus, ZERO } from './amount-text.ts'
import { readDebits } from './camt-debits.ts'
import {
  type Amount,
  about,
  amountIn,
  amountOf,
  announcedCount,
  bankReferenceOf,
  batchReferences,
  booleanOf,
  type Credit,
  chargesOf,
  dayIn,
  debitOf,
  type ListedPayment,
  lineOf,
  listedPayments,
  shown,
  statusOf,
} from './camt-payment.ts'
import { all, at, type Element, textAt, xmlParser } from './element.ts'
import {
  type AccountStatement,
  type Balance,
  broken,
  differenceWords,
  type EntryRead,
  type FileFault,
  type ParsedStatement,
  signedText,
  statementOf,
} from './statement.ts'

interface Message {
  readonly format: 'camt.052' | 'camt.053' | 'camt.054'
  readonly element: string
  readonly part: string
  /** What the operator should know before importing. */
  readonly remark: string
}

const MESSAGES: readonly Message[] = [
  { format: 'camt.053', element: 'BkToCstmrStmt', part: 'Stmt', remark: '' },
  {
    format: 'camt.052',
    element: 'BkToCstmrAcctRpt',
    part: 'Rpt',
    remark: 'This is an interim report (camt.052). Payments booked later are in the statement (camt.053).',
  },
  {
    format: 'camt.054',
    element: 'BkToCstmrDbtCdtNtfctn',
    part: 'Ntfctn',
    remark: 'This is a notification (camt.054). It may list only part of the payments.',
  },
]

/** Undefined for broken XML. Throws a RangeError at more than 100 levels. */
function parseXml(text: string): Element | undefined {
  try {
    return xmlParser.parse(text) as Element
  } catch (error) {
    const isTooDeep = error instanceof Error && /nested tags/.test(error.message)
    if (isTooDeep) throw new RangeError('elements nest too deep', { cause: error })
    return undefined
  }
}

/** Booked credits of ISO 20022 camt.052, camt.053 or camt.054, any version. Each payment of a batch is a line. */
export function parseCamt(texts: readonly string[]): ParsedStatement {
  const messages: { readonly kind: Message; readonly message: Element }[] = []
  for (const text of texts) {
    const read = messageIn(text)
    if ('what' in read) return broken(read)
    messages.push(read)
  }
  const [kind, ...others] = new Set(messages.map((one) => one.kind))
  if (kind === undefined || others.length > 0) {
    return broken({ place: null, what: 'The archive has messages of different kinds. Import its files one by one.' })
  }
  const statements = messages.flatMap(({ message }) => all(message, kind.part))
  const pages = messages.map(({ message }) => at(message, 'GrpHdr', 'MsgPgntn'))
  const accounts = statements.map(accountOf)
  const entries = statements
    .flatMap((statement, of) => all(statement, 'Ntry').map((entry) => [entry, accounts[of]?.account ?? ''] as const))
    .flatMap(([entry, account], index) => readEntry(entry, account, index + 1, kind.format !== 'camt.052'))
  return statementOf(
    kind.format,
    [
      ...(kind.remark === '' ? [] : [{ remark: { place: null, what: kind.remark } }]),
      ...[...pages, ...statements.flatMap(pagesOf)].flatMap(pageRemark),
      ...statements.flatMap((statement, index) =>
        remarksOn(statement, statements.length > 1 ? `Statement ${index + 1} of ${statements.length}: ` : ''),
      ),
      ...entries,
      ...notImportedIn(entries),
    ],
    accounts,
  )
}

function accountOf(statement: Element): AccountStatement {
  const [opening, closing] = [statedBalance(statement, ['OPBD', 'PRCD']), statedBalance(statement, ['CLBD'])]
  const id = at(statement, 'Acct', 'Id')
  return {
    // The first version names other elements.
    account: textAt(id, 'IBAN') || textAt(id, 'Othr', 'Id') || textAt(id, 'PrtryAcct', 'Id') || textAt(id, 'BBAN'),
    number: textAt(statement, 'ElctrncSeqNb') || textAt(statement, 'LglSeqNb'),
    currency: textAt(statement, 'Acct', 'Ccy') || (opening ?? closing)?.currency || '',
    opening: opening && signedText(opening),
    closing: closing && signedText(closing),
  }
}

function messageIn(text: string): { readonly kind: Message; readonly message: Element } | FileFault {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    return { place: null, what: 'The file declares XML entities. A bank statement has none.' }
  }
  const parsed = parseXml(text)
  const valid = XMLValidator.validate(text)
  if (valid !== true) return brokenXml(valid.err)
  const document = at(parsed, 'Document')
  const messages = MESSAGES.flatMap((kind) =>
    [kind.element, `${kind.element}V01`]
      .flatMap((name) => all(document, name).map((message) => ({ kind, message })))
      .filter(({ message }) => at(message, kind.part) !== undefined),
  )
  const [first] = messages
  if (first === undefined) {
    return { place: null, what: 'The file is XML, but not a camt.053, camt.052 or camt.054 statement.' }
  }
  const what = `The file has ${messages.length} camt messages. Split it and import them one by one.`
  return messages.length > 1 ? { place: null, what } : first
}

/** What the library says of a file that was cut off, with the line of its first element. */
const CUT_OFF = /^Invalid '\[|^Unclosed tag|doesn't have proper closing|have open quote/

const brokenXml = ({ msg, line }: { readonly msg: string; readonly line: number }): FileFault =>
  CUT_OFF.test(msg)
    ? { place: null, what: 'The file ends before its statement does. Export it again.' }
    : { place: line, what: `The XML is broken: ${msg}` }

const pagesOf = (statement: Element): readonly (Element | undefined)[] =>
  ['StmtPgntn', 'RptPgntn', 'NtfctnPgntn'].map((name) => at(statement, name))

function remarksOn(statement: Element, which: string): readonly EntryRead[] {
  const mark = textAt(statement, 'CpyDplctInd')
  const what = `${which}The bank marks it as a ${mark === 'COPY' ? 'copy' : 'duplicate'} of a statement that it sent before.`
  const copy = ['COPY', 'DUPL', 'CODU'].includes(mark) ? [{ remark: { place: null, what } }] : []
  const difference = balanceDifference(statement)
  return difference === null ? copy : [...copy, { warning: { place: null, what: `${which}${difference}` } }]
}

/** In words; null if the balances agree with the booked entries, or cannot be compared. */
function balanceDifference(statement: Element): string | null {
  const [opening, closing] = [statedBalance(statement, ['OPBD', 'PRCD']), statedBalance(statement, ['CLBD'])]
  if (opening === null || closing === null) return null
  let balance = opening
  for (const entry of all(statement, 'Ntry').filter((one) => statusOf(one) === 'BOOK')) {
    const amount = signedAmount(entry)
    if (amount === null || amount.currency !== opening.currency) return null
    balance = { ...balance, money: plus(balance.money, amount.money) }
  }
  const { currency } = balance
  return currency !== closing.currency || balance.money.equals(closing.money)
    ? null
    : differenceWords(balance.money, closing)
}

function statedBalance(statement: Element, codes: readonly string[]): Balance | null {
  const balance = all(statement, 'Bal').find((one) => codes.includes(textAt(one, 'Tp', 'CdOrPrtry', 'Cd')))
  return balance === undefined ? null : signedAmount(balance)
}

function signedAmount(node: Element): Balance | null {
  const [amount, side] = [amountIn(at(node, 'Amt')), textAt(node, 'CdtDbtInd')]
  if (amount === null || (side !== 'CRDT' && side !== 'DBIT')) return null
  const money = moneyOf(amount.text)
  return { money: side === 'CRDT' ? money : ZERO.minus(money), currency: amount.currency }
}

function pageRemark(page: Element | undefined): readonly EntryRead[] {
  if (page === undefined || booleanOf(textAt(page, 'LastPgInd')) !== false) return []
  const what = `This is page ${textAt(page, 'PgNb') || '?'} of several. Import the other pages too.`
  return [{ remark: { place: null, what } }]
}

const hasStatus = (entry: Element): boolean => (statusOf(entry) || textAt(entry, 'Sts', 'Prtry')) !== ''
const NO_STATUS =
  'its status (Sts) is missing, so it may not be booked yet. Ask the bank for a statement with the status of each entry, such as BOOK.'

function readEntry(entry: Element, account: string, place: number, needsStatus: boolean): readonly EntryRead[] {
  const fault = (what: string): readonly EntryRead[] => [{ fault: about(place, `${what} Export the file again.`) }]
  const side = textAt(entry, 'CdtDbtInd')
  if (side !== 'CRDT' && side !== 'DBIT') return fault('it has neither CRDT nor DBIT.')
  const isReversal = booleanOf(textAt(entry, 'RvslInd'))
  if (isReversal === null) return fault('its reversal indicator is neither true nor false.')
  const [isBooked, day] = [statusOf(entry) === 'BOOK', dayIn(entry, 'BookgDt')]
  if (isBooked && day !== '' && !isDay(day)) return fault(`the booking date ${day} is not ${expectedDay(day)}.`)
  if (side === 'DBIT') return readDebits(entry, account, place, isReversal)
  if (isReversal) return [{ leftOut: 'reversal' }]
  if (needsStatus && !hasStatus(entry)) return [{ fault: about(place, NO_STATUS) }]
  if (!isBooked) return [{ leftOut: 'not-booked' }]
  const amount = amountIn(at(entry, 'Amt'))
  if (amount === null) return fault('its amount is missing or cannot be read.')
  if (moneyOf(amount.text).isZero()) return [{ leftOut: 'no-amount' }]
  return readPayments({ entry, account, place, amount })
}

function readPayments(credit: Credit): readonly EntryRead[] {
  const { entry, place, amount } = credit
  const listed = listedPayments(entry)
  const announced = announcedCount(entry)
  const [only] = listed
  if (listed.some((one) => one.amount === null && amountOf(one.payment) !== undefined)) {
    return [{ fault: about(place, 'the amount of one of its payments cannot be read. Export the file again.') }]
  }
  if (only === undefined) {
    const what = `a batch of ${announced} payments that the bank does not list. It becomes one line without a reference.`
    const remark = announced > 1 ? [{ remark: about(place, what) }] : []
    return [
      { line: lineOf(credit, undefined, { amount, bankReference: bankReferenceOf(entry, undefined) }) },
      ...remark,
    ]
  }
  const isAlone = listed.length === 1 && only.leftOut === null && agreesWith(only.amount, amount)
  if (!isAlone) return readBatch(credit, listed)
  if (announced <= 1) {
    return [{ line: lineOf(credit, only.payment, { amount, bankReference: bankReferenceOf(entry, only.payment) }) }]
  }
  const what = `a batch of ${announced} payments, listed as one. Ask the bank for a statement that lists each.`
  return [{ fault: about(place, what) }]
}

/** The only payment may repeat the entry's amount, omit it, give 0, or state it in another currency. */
function agreesWith(payment: Amount | null, entry: Amount): boolean {
  if (payment === null) return true
  const money = moneyOf(payment.text)
  const isOther = payment.currency !== '' && payment.currency !== entry.currency
  return money.isZero() || money.equals(moneyOf(entry.text)) || isOther
}

/** Compares the sum with the booked amount, so that no payment is lost or invented. Charges may explain a difference. */
function readBatch(credit: Credit, listed: readonly ListedPayment[]): readonly EntryRead[] {
  const net = withoutCharges(credit, listed)
  if (net === null) return readBooked(credit, listed)
  const what = `charges of ${net.charges.toShown()} ${credit.amount.currency} were deducted. ${net.isOfBatch ? 'The payments are without them.' : 'The amounts are what was booked.'}`
  return [...entriesOf(credit, net.payments), { remark: about(credit.place, what) }]
}

interface NetPayments {
  readonly payments: readonly ListedPayment[]
  readonly charges: Money
  /** The entry has charges, and its payments have none. */
  readonly isOfBatch: boolean
}

/** Null if charges do not explain what was booked. */
function withoutCharges({ entry, amount: booked }: Credit, listed: readonly ListedPayment[]): NetPayments | null {
  const isReceived = ({ leftOut, amount }: ListedPayment) => leftOut === null && amount?.currency === booked.currency
  if (!listed.every(isReceived)) return null
  const received = listed.map(({ amount }) => moneyOf(amount?.text ?? '0'))
  const each = listed.map(({ payment }) => chargesOf(payment, booked.currency))
  const ofEntry = chargesOf(entry, booked.currency)
  const isOfBatch = each.every((charges) => charges.isZero())
  const isAlone = isOfBatch && listed.length === 1
  const deducted = isAlone ? [ofEntry] : each
  const charges = isOfBatch ? ofEntry : each.reduce(plus, ZERO)
  const isExplained = received.reduce(plus, ZERO).minus(charges).equals(moneyOf(booked.text))
  if (charges.isZero() || !isExplained) return null
  if (isOfBatch && !isAlone) return { payments: listed, charges, isOfBatch }
  const payments = listed.map((one, at) => {
    const net = (received[at] ?? ZERO).minus(deducted[at] ?? ZERO)
    const text = net.toExact().replace(/\.?0+$/, '')
    return { ...one, amount: { text, currency: booked.currency } }
  })
  return { payments, charges, isOfBatch: false }
}

function readBooked(credit: Credit, listed: readonly ListedPayment[]): readonly EntryRead[] {
  const { place, amount: booked } = credit
  let sum = ZERO
  for (const { leftOut, amount } of listed) {
    if (amount === null) return [{ fault: about(place, 'a payment of this batch has no amount.') }]
    if (amount.currency !== booked.currency) {
      const what = `a payment of this batch is ${shown(amount)} and the entry ${shown(booked)}, so they cannot be compared.`
      return [{ fault: about(place, what) }]
    }
    sum = leftOut === null ? plus(sum, moneyOf(amount.text)) : sum.minus(moneyOf(amount.text))
  }
  const missing = moneyOf(booked.text).minus(sum)
  if (missing.isNegative()) {
    const what = `its payments sum to ${sum.toShown()}, more than the ${shown(booked)} that was booked. Ask the bank for a statement that lists them as booked.`
    return [{ fault: about(place, what) }]
  }
  const entries = entriesOf(credit, listed)
  if (missing.isZero()) return entries
  const what = `${shown(booked)} was booked, but the bank lists payments of ${sum.toShown()} only. The other ${missing.toShown()} is not imported: ask the bank for these payments.`
  return [...entries, { remark: about(place, what), notImported: { money: missing, currency: booked.currency } }]
}

function notImportedIn(entries: readonly EntryRead[]): readonly EntryRead[] {
  const sums = entries.flatMap((entry) => ('remark' in entry && entry.notImported ? [entry.notImported] : []))
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, batches]) => {
    const sum = batches.reduce((total, { money }) => plus(total, money), ZERO)
    const what = `${sum.toShown()} ${currency} of ${counted(batches.length, 'batch', 'batches')} is not imported, because the bank does not list these payments. Ask the bank for them.`
    return { warning: { place: null, what } }
  })
}

function entriesOf(credit: Credit, listed: readonly ListedPayment[]): readonly EntryRead[] {
  const bankReferences = batchReferences(credit.entry, listed)
  return listed.map(({ payment, leftOut, amount }, at): EntryRead => {
    if (leftOut !== null && amount !== null)
      return { leftOut, debit: debitOf(credit, payment, { amount, isReversal: leftOut === 'reversal' }) }
    if (amount === null || moneyOf(amount.text).isZero()) return { leftOut: 'no-amount' }
    return { line: lineOf(credit, payment, { amount, bankReference: bankReferences[at] ?? '' }) }
  })
}
