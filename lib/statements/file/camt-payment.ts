import 'server-only'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import type { Money } from '#lib/values/money.ts'
import { isDay } from '#lib/values/time.ts'
import { formatCount } from '#lib/values/words.ts'
import { moneyOf, plainDecimal, plus, ZERO } from './amount-text.ts'
import { all, at, type Element, textAt } from './element.ts'
import { type Debit, type FileFault, isReference, type LeftOutReason, type PaymentLine } from './statement.ts'

/** xs:boolean: false if absent, null if invalid. */
export function booleanOf(text: string): boolean | null {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' || text === '' ? false : null
}

export interface Amount {
  readonly text: string
  readonly currency: string
}

export function amountIn(node: Element | undefined): Amount | null {
  const text = plainDecimal(textAt(node), 'point')
  return text === null ? null : { text, currency: textAt(node, '@Ccy') }
}

export const shown = ({ text, currency }: Amount): string => `${moneyOf(text).toShown()} ${currency}`.trim()

export interface Credit {
  readonly entry: Element
  readonly account: string
  readonly place: number
  readonly amount: Amount
}

/** Charges of an entry or payment (ISO 20022, `Chrgs`), as a list of records or, in older versions, directly. */
export function chargesOf(node: Element | undefined, currency: string): Money {
  const parts = all(node, 'Chrgs').flatMap((charges) => {
    const records = all(charges, 'Rcrd')
    return records.length === 0 ? [charges] : records
  })
  const amounts = parts.filter((part) => textAt(part, 'CdtDbtInd') !== 'CRDT').map((part) => amountIn(at(part, 'Amt')))
  return amounts.reduce((sum, amount) => (amount?.currency === currency ? plus(sum, moneyOf(amount.text)) : sum), ZERO)
}

const REFERENCES: readonly (readonly string[])[] = [
  ...['EndToEndId', 'AcctSvcrRef', 'TxId', 'UETR', 'InstrId'].map((name) => ['Refs', name]),
  ['RmtInf', 'Strd', 'CdtrRefInf', 'Ref'],
]

export function debitOf(
  { entry, account, place }: Credit,
  payment: Element | undefined,
  { amount, isReversal }: { readonly amount: Amount; readonly isReversal: boolean },
): Debit {
  const given = [...REFERENCES.map((path) => textAt(payment, ...path)), textAt(entry, 'AcctSvcrRef')]
  const references = [...new Set(given)]
  const where = `entry ${formatCount(place)}`
  const text = textIn(entry, payment)
  const money = { amount: amount.text, currency: amount.currency }
  return { account, ...money, references, text, isReversal, bookedOn: dayIn(entry, 'BookgDt'), where }
}

export function bankReferenceOf(entry: Element, payment: Element | undefined): string {
  const id = (name: string): string => textAt(payment, 'Refs', name)
  const given = [id('AcctSvcrRef'), textAt(entry, 'AcctSvcrRef'), id('TxId'), id('UETR'), textAt(entry, 'NtryRef')]
  return given.find(isReference) ?? ''
}

/** The first kind of id that differs for all payments of the batch, or the entry's id and the payment's place. */
export function batchReferences(entry: Element, listed: readonly { readonly payment: Element }[]): readonly string[] {
  for (const name of ['AcctSvcrRef', 'TxId', 'UETR']) {
    const ids = listed.map(({ payment }) => textAt(payment, 'Refs', name))
    if (ids.every(isReference) && new Set(ids.map(foldBankReference)).size === ids.length) return ids
  }
  const id = [textAt(entry, 'AcctSvcrRef')].find(isReference) ?? bankReferenceOf(entry, listed[0]?.payment)
  return listed.map((_payment, at) => (id === '' || listed.length === 1 ? id : `${id}/${at + 1}`))
}

export const dayIn = (entry: Element, name: string): string =>
  (textAt(entry, name, 'Dt') || textAt(entry, name, 'DtTm')).slice(0, 'yyyy-mm-dd'.length)

export function lineOf(
  { entry, account: receiver, place }: Credit,
  payment: Element | undefined,
  { amount, bankReference }: { readonly amount: Amount; readonly bankReference: string },
): PaymentLine {
  const valueDate = dayIn(entry, 'ValDt')
  // Newer versions have the name one level below.
  const [payer, account] = [at(payment, 'RltdPties', 'Dbtr'), at(payment, 'RltdPties', 'DbtrAcct')]
  return {
    account: receiver,
    place,
    reference: referenceOf(payment),
    amount: amount.text,
    currency: amount.currency,
    bankReference,
    bookedOn: dayIn(entry, 'BookgDt'),
    valueDate: isDay(valueDate) ? valueDate : '',
    payerName: textAt(payer, 'Nm') || textAt(payer, 'Pty', 'Nm'),
    payerAccount: textAt(account, 'Id', 'IBAN') || textAt(account, 'Id', 'Othr', 'Id'),
    text: textIn(entry, payment),
  }
}

const textIn = (entry: Element, payment: Element | undefined): string =>
  [
    ...all(at(payment, 'RmtInf'), 'Ustrd').map((part) => textAt(part)),
    textAt(payment, 'AddtlTxInf'),
    textAt(entry, 'AddtlNtryInf'),
  ]
    .filter((part) => part !== '')
    .join(' ')

function referenceOf(payment: Element | undefined): string {
  const creditor = textAt(payment, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref')
  return isReference(creditor) ? creditor : textAt(payment, 'Refs', 'EndToEndId')
}

export const about = (place: number, what: string): FileFault => ({
  place: null,
  what: `Entry ${formatCount(place)}: ${what}`,
})

/** Older versions have a text here, newer ones a code below it. */
export const statusOf = (entry: Element): string => textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')

export interface ListedPayment {
  readonly payment: Element
  readonly leftOut: LeftOutReason | null
  readonly amount: Amount | null
}

export const amountOf = (payment: Element): Element | undefined =>
  at(payment, 'Amt') ?? at(payment, 'AmtDtls', 'TxAmt', 'Amt')

/** The first version has no element between entry and payment. */
const detailsOf = (entry: Element): readonly Element[] => [entry, ...all(entry, 'NtryDtls')]

export function listedPayments(entry: Element): readonly ListedPayment[] {
  const payments = detailsOf(entry).flatMap((details) => all(details, 'TxDtls'))
  return payments.map((payment) => {
    const isReversal = booleanOf(textAt(payment, 'RvslInd')) !== false
    const isPaidOut = (textAt(payment, 'CdtDbtInd') || 'CRDT') !== 'CRDT'
    const amount = amountIn(amountOf(payment))
    const leftOut = isPaidOut ? 'paid-out' : 'reversal'
    return { payment, leftOut: isPaidOut || isReversal ? leftOut : null, amount }
  })
}

export const announcedCount = (entry: Element): number =>
  detailsOf(entry).reduce<number>((sum, details) => sum + (Number(textAt(details, 'Btch', 'NbOfTxs')) || 0), 0)
