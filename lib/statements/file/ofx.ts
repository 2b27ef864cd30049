import 'server-only'
import { parseSync } from 'ofx-js'
import { formatCount } from '#lib/values/words.ts'
import { type Cell, type DecimalMark, judgeMark, moneyOf, readAmount } from './amount-text.ts'
import { isoDay } from './date-text.ts'
import { all, type Element, escaped, textAt } from './element.ts'
import {
  broken,
  type EntryRead,
  type FileFault,
  otherAccountsWords,
  type ParsedStatement,
  statementOf,
} from './statement.ts'

const refused = (what: string): ParsedStatement => broken({ place: null, what })

/** Bank accounts of OFX 1 (SGML) and 2 (XML). */
export function parseOfx(file: string): ParsedStatement {
  const text = decoded(file)
    .replace(COMMENT, '')
    .replaceAll(/<OFX\s[^>]*>/g, '<OFX>')
  const documents = text.split('<OFX>').length - 1
  if (documents > 1) return refused(`The file has ${documents} OFX documents. Split it and import them one by one.`)
  const ofx = text.includes('<!--', text.indexOf('<OFX>')) ? null : elementIn(text.replace(LONG_NAME, '$1'))
  if (ofx === null) return refused('The OFX file is damaged. Export it again.')
  const responses = all(ofx, 'BANKMSGSRSV1').flatMap((set) => all(set, 'STMTTRNRS'))
  const statements = responses.flatMap((response) => all(response, 'STMTRS'))
  if (statements.length === 0) return refused('The OFX file has no statement of a bank account.')
  if (statements.some((statement) => textAt(statement, 'BANKACCTFROM', 'ACCTID') === '')) {
    return refused(
      'This OFX file does not name its account (BANKACCTFROM). Export it again, or as CSV, camt.053 or MT940.',
    )
  }
  const payments = statements.flatMap(paymentsOf).map((payment, index) => ({ ...payment, place: index + 1 }))
  const mark = markOf(payments)
  if (typeof mark !== 'string') return broken(mark)
  // Some banks write no minus. Others pay fees back.
  const isSigned = payments.some(({ node }) => textAt(node, 'TRNAMT').startsWith('-') && typeOf(node) !== 'CREDIT')
  const paidOutTypes = isSigned ? /^(DEBIT|DIRECTDEBIT|CHECK|CASH)$/ : /^(DEBIT|DIRECTDEBIT|CHECK|CASH|FEE|SRVCHG)$/
  const accounts = statements.map((statement) => ({
    account: textAt(statement, 'BANKACCTFROM', 'ACCTID'),
    number: '',
    currency: textAt(statement, 'CURDEF'),
    opening: null,
    closing: null,
  }))
  const entries = payments.map((payment) => readPayment(payment, mark, paidOutTypes))
  const what = otherAccountsWords([...text.matchAll(/<STMTTRNP?\s*>/g)].length - payments.length)
  return statementOf('ofx', what === '' ? entries : [...entries, { remark: { place: null, what } }], accounts)
}

/** The library takes 2^n steps for a name of n letters. The longest one that is read, BANKTRANLISTP, has 13. */
const LONG_NAME = /(<\/?[A-Z0-9_]{14})[A-Z0-9_]+/g

/** One with elements may have payments. */
const COMMENT = /<!--[^<]*?-->/g
const CDATA = /<!\[CDATA\[([^<]*?)\]\]>/g

/** The library decodes `&lt;`, `&gt;` and `&amp;` only. */
const decoded = (file: string): string =>
  file
    .replace(CDATA, (_whole, text: string) => escaped(text))
    .replace(/&(?:(apos)|(quot)|#(\d+)|#(x[\da-f]+));/gi, (entity, apos, quot, decimal, hex) => {
      if (apos || quot) return apos ? "'" : '"'
      const code = Number(decimal ?? `0${hex}`)
      return code > 0x10ffff ? entity : escaped(String.fromCodePoint(code))
    })

/** Null if the file is damaged. */
function elementIn(text: string): Element | null {
  for (const sgml of [text, withoutEmpty(text)]) {
    try {
      return parseSync(sgml).OFX
    } catch {}
  }
  return null
}

/** Never dropped: if their closing tags are missing, the file is damaged. */
const READ_PARENTS = /^(OFX|BANK(MSG|ACCT|TRAN)\w*|STMT\w*|CURRENCY|PAYEE)$/

/** SGML does not close elements of text. The library does, but not empty ones. */
function withoutEmpty(sgml: string): string {
  const closed = new Set([...sgml.matchAll(/<\/([\w.]+)>/g)].map(([, name]) => name))
  return sgml.replace(/<([\w.]+)>(?=\s*<)/g, (tag, name: string) =>
    closed.has(name) || READ_PARENTS.test(name) ? tag : '',
  )
}

interface Payment {
  readonly node: Element
  readonly place: number
  readonly account: string
  readonly currency: string
  readonly isBooked: boolean
}

function paymentsOf(statement: Element): readonly Omit<Payment, 'place'>[] {
  const listed = (list: string, name: string) => all(statement, list).flatMap((one) => all(one, name))
  const booked = listed('BANKTRANLIST', 'STMTTRN').map((node) => ({ node, isBooked: true }))
  const pending = listed('BANKTRANLISTP', 'STMTTRNP').map((node) => ({ node, isBooked: false }))
  return [...booked, ...pending].map(({ node, isBooked }) => ({
    node,
    isBooked,
    account: textAt(statement, 'BANKACCTFROM', 'ACCTID'),
    currency: textAt(node, 'CURRENCY', 'CURSYM') || textAt(statement, 'CURDEF'),
  }))
}

/** The standard allows a decimal point or comma, and no grouping. */
function markOf(payments: readonly Payment[]): DecimalMark | FileFault {
  const cells = payments.map(({ node, place }): Cell => ({ place, text: textAt(node, 'TRNAMT') }))
  const { verdict, examples } = judgeMark(cells)
  if (verdict === 'point' || verdict === 'comma') return verdict
  if (verdict === 'whole' || verdict === 'no-amounts') return 'point'
  const [example] = examples
  const shown = example === undefined ? 'An amount' : `“${example.text}” of transaction ${example.place}`
  return { place: null, what: `${shown} is ambiguous: no amount shows the decimal separator. Export the file again.` }
}

const typeOf = (node: Element): string => textAt(node, 'TRNTYPE').toUpperCase()

function readPayment(
  { node, place, account, currency, isBooked }: Payment,
  mark: DecimalMark,
  paidOutTypes: RegExp,
): EntryRead {
  const fault = (what: string, remedy = 'Export the file again.'): EntryRead => ({
    fault: { place: null, what: `Transaction ${formatCount(place)}: ${what} ${remedy}` },
  })
  if (!isBooked) return { leftOut: 'not-booked' }
  if (['TRNAMT', 'FITID', 'DTPOSTED'].some((name) => all(node, name).length > 1)) {
    return fault('it has two amounts, dates or ids.')
  }
  if (textAt(node, 'CORRECTFITID') !== '') return { leftOut: 'reversal' }
  const amount = readAmount(textAt(node, 'TRNAMT'), mark)
  if (amount === null) return fault('its amount is missing or cannot be read.')
  const isZero = moneyOf(amount.amount).isZero()
  if (paidOutTypes.test(typeOf(node)) && !amount.isNegative && !isZero)
    return fault(`its type is ${typeOf(node)}, but its amount has no minus.`, 'Import CSV, camt.053 or MT940 instead.')
  const payerName = textAt(node, 'NAME') || textAt(node, 'PAYEE', 'NAME')
  const texts = [payerName, ...['MEMO', 'REFNUM', 'CHECKNUM'].map((name) => textAt(node, name))]
  const text = texts.filter((one) => one !== '').join(' ')
  const bookedOn = dayOf(textAt(node, 'DTPOSTED'))
  if (amount.isNegative) {
    const where = `transaction ${formatCount(place)}`
    const debit = {
      account,
      amount: amount.amount,
      currency,
      references: [],
      text,
      isReversal: false,
      bookedOn: bookedOn ?? '',
      where,
    }
    return { leftOut: 'paid-out', debit }
  }
  if (isZero) return { leftOut: 'no-amount' }
  if (bookedOn === null) return fault('its date is missing or does not exist.')
  const line = {
    account,
    place,
    reference: '',
    amount: amount.amount,
    currency,
    bankReference: textAt(node, 'FITID'),
    bookedOn,
    valueDate: dayOf(textAt(node, 'DTAVAIL')) ?? '',
    text,
    payerName,
    payerAccount: textAt(node, 'BANKACCTTO', 'ACCTID'),
  }
  return { line }
}

/** `20260505120000[-5:EST]` is 5 May 2026. */
function dayOf(text: string): string | null {
  const [, year, monthAndDay = ''] = /^(\d{4})(\d{4})/.exec(text) ?? []
  return year === undefined ? null : isoDay(Number(year), monthAndDay)
}
