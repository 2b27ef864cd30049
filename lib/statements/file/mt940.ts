import 'server-only'
import type { Money } from '#lib/values/money.ts'
import { moneyOf, plainDecimal, plus, ZERO } from './amount-text.ts'
import { isoDay } from './date-text.ts'
import {
  type AccountStatement,
  type Balance,
  broken,
  differenceWords,
  type EntryRead,
  type ParsedStatement,
  type PaymentLine,
  signedText,
  statementOf,
} from './statement.ts'

function accountOf(fields: readonly Field[]): AccountStatement {
  const field = (tag: RegExp) => fields.find((one) => tag.test(one.tag))
  const [opening, closing] = [balanceIn(openingOf(fields)), balanceIn(closingOf(fields))]
  return {
    account: field(/^25/)?.lines[0]?.trim() ?? '',
    // Statement number and page.
    number: field(/^28/)?.lines[0]?.split('/')[0]?.trim() ?? '',
    currency: opening?.currency || closing?.currency || '',
    opening: opening && signedText(opening),
    closing: closing && signedText(closing),
  }
}

interface Field {
  readonly tag: string
  readonly place: number
  readonly lines: string[]
}

const openingOf = (fields: readonly Field[]) => fields.find(({ tag }) => tag.startsWith('60'))
/** Several pages may have one start (:20:). */
const closingOf = (fields: readonly Field[]) => fields.findLast(({ tag }) => tag.startsWith('62'))

/** Other text between colons belongs to the preceding field. */
const FIELD = /^\s*:(20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|NS|13D?|34F|90[CD]):(.*)$/
const INTERIM = 'This is an interim report (MT942). Import the booked statement (MT940 or camt.053).'

export function parseMt940(text: string): ParsedStatement {
  const fields = fieldsOf(text)
  if (/^\{1:.*\{2:[IO]942/m.test(text) || fields.some(({ tag }) => /^(34F|90[CD])$/.test(tag))) {
    return broken({ place: null, what: INTERIM })
  }
  const [above, ...statements] = statementsOf(fields)
  if (statements.length === 0) {
    return broken({ place: null, what: 'The file has no statement (:20:). Export it again.' })
  }
  const second = statements.flatMap((one) =>
    [/^25P?$/, /^60F$/].flatMap((tag) => one.filter((field) => tag.test(field.tag)).slice(1)),
  )
  const [unstarted] = [...above.filter(has('61')), ...second]
  if (unstarted !== undefined) return broken({ place: unstarted.place, what: unstartedWords(unstarted) })
  const entries = [...statements.flatMap(entriesOf), ...missingPages(statements)]
  return statementOf('mt940', entries, statements.map(accountOf))
}

function fieldsOf(text: string): readonly Field[] {
  const fields: Field[] = []
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    if (raw === '') continue
    // SWIFT message blocks surround the fields.
    const line = raw.replace(/^\ufeff/, '').replace(/^\{1:.*?\{4:/, '')
    const [, tag, rest = ''] = FIELD.exec(line) ?? []
    if (tag !== undefined) fields.push({ tag, place: index + 1, lines: [rest] })
    else if (line === '-' || line.startsWith('-}') || line.startsWith('{'))
      fields.push({ tag: '', place: index + 1, lines: [] })
    else if (line.trim() !== '') fields.at(-1)?.lines.push(line)
  }
  return fields
}

const has = (tag: string) => (field: Field) => field.tag === tag

const unstartedWords = ({ tag }: Field): string =>
  `The start of a statement (:20:) is missing above this line (:${tag}:). Export the file again.`

/** Some banks add lines before the first tag 20. */
function statementsOf(fields: readonly Field[]): readonly [above: readonly Field[], ...(readonly Field[])[]] {
  const statements: [Field[], ...Field[][]] = [[]]
  for (const field of fields) {
    if (field.tag === '20') statements.push([])
    statements.at(-1)?.push(field)
  }
  return statements
}

/** A page opens with the balance that the page before closed with. */
function missingPages(statements: readonly (readonly Field[])[]): readonly EntryRead[] {
  const balances = (tag: string) =>
    statements.flatMap((fields) =>
      fields.filter(has(tag)).map(({ place, lines: [balance = ''] }) => {
        return { place, key: `${accountOf(fields).account} ${balance.replace(/\d{6}/, '').trim()}` }
      }),
    )
  const [opened, closed] = [balances('60M'), balances('62M')]
  const missing = (pages: typeof opened, others: typeof opened, what: string): EntryRead[] =>
    pages.flatMap(({ place, key }) => (others.some((one) => one.key === key) ? [] : [{ remark: { place, what } }]))
  return [
    ...missing(closed, opened, 'This page closes with an interim balance (:62M:). Import the next page too.'),
    ...missing(opened, closed, 'This page opens with an interim balance (:60M:). Import the page before it too.'),
  ]
}

/** The end of the message may follow. */
const BALANCE = /^([DC])\d{6}([A-Z]{3})?([\d,]+)\s*(?:-(?:\}.*)?)?$/

/** Some banks omit the currency of closing balances. */
function balanceIn(field: Field | undefined): Balance | null {
  const [, side, currency = '', digits = ''] = BALANCE.exec(field?.lines[0] ?? '') ?? []
  const amount = plainDecimal(digits, 'comma')
  if (side === undefined || amount === null) return null
  return { currency, money: side === 'D' ? ZERO.minus(moneyOf(amount)) : moneyOf(amount) }
}

function entriesOf(fields: readonly Field[]): readonly EntryRead[] {
  const [opening, closing] = [openingOf(fields), closingOf(fields)]
  const [from, to] = [balanceIn(opening), balanceIn(closing)]
  const first = fields[0]?.place ?? null
  const { account, currency } = accountOf(fields)
  const [start, end] = [opening?.place ?? first, closing?.place ?? first]
  if (currency === '') return [{ fault: { place: start, what: `${missingOpening(opening)} ${ASK_FOR_WHOLE}` } }]
  const entries = fields.flatMap((field, at): readonly EntryRead[] => {
    if (field.tag !== '61') return []
    const entry = entryIn(field)
    if (typeof entry === 'string') return [{ fault: { place: field.place, what: entry } }]
    return [asRead(entry, { place: field.place, account, currency, details: detailsAfter(fields, at) })]
  })
  if (entries.some((entry) => 'fault' in entry)) return entries
  const warned = (place: number | null, what: string) => [...entries, { warning: { place, what } }]
  if (from === null) return warned(start, `${missingOpening(opening)} ${COMPARE}`)
  if (to === null) return warned(end, `${MISSING_CLOSING} ${COMPARE}`)
  if (to.currency !== '' && to.currency !== currency) return [{ fault: { place: end, what: OTHER_CURRENCY } }]
  const balance = fields.map(bookedMoney).reduce(plus, from.money)
  return balance.equals(to.money) ? entries : warned(end, differenceWords(balance, { ...to, currency }))
}

const missingOpening = (field: Field | undefined): string =>
  field === undefined
    ? 'The opening balance (:60F:) is missing: the currency of the account and its balance before the first payment.'
    : `The opening balance (:${field.tag}:) cannot be read: C or D, a date, a currency, and an amount with a comma are expected.`
const MISSING_CLOSING = 'The closing balance (:62F:) of this statement is missing or cannot be read.'
const ASK_FOR_WHOLE = 'Export the file again, or ask the bank for the whole statement.'
const COMPARE = 'Compare the file with the bank’s online statement.'
const OTHER_CURRENCY = 'The opening and the closing balance have different currencies. Export the file again.'

function bookedMoney(field: Field): Money {
  const entry = field.tag === '61' ? entryIn(field) : ''
  if (typeof entry === 'string') return ZERO
  const money = moneyOf(entry.amount)
  return entry.mark === 'C' || entry.mark === 'RD' ? money : ZERO.minus(money)
}

interface Details {
  readonly lines: readonly string[]
  /** Of tag NS, without their codes. */
  readonly payer: string
  /** In tag 61 and other tags 86. */
  readonly more: string
}

/** Some banks put tag NS before or instead of tag 86: lines with codes, 01 to 14 for text, 15 and 16 for the payer. */
function detailsAfter(fields: readonly Field[], at: number): Details {
  let next = at + 1
  while (fields[next]?.tag === 'NS') next += 1
  const coded = fields.slice(at + 1, next).flatMap(({ lines }) => lines)
  const withCode = (pattern: RegExp) => coded.filter((line) => pattern.test(line)).map((line) => line.slice(2).trim())
  const field = fields[next]
  const text = field?.tag === '86' ? field.lines : withCode(/^(0\d|1[0-4])/)
  let end = next
  while (fields[end]?.tag === '86') end += 1
  const others = [fields[at]?.lines.slice(1) ?? [], ...fields.slice(next + 1, end).map(({ lines }) => lines)]
  return { lines: text, payer: withCode(/^1[56]/).join(' '), more: textOfDetails(others.map(textOfDetails)) }
}

interface Entry extends Pick<PaymentLine, 'amount' | 'bookedOn' | 'valueDate' | 'reference' | 'bankReference'> {
  readonly mark: string
}

/** Tag 61 (SWIFT). In practice the entry date may be blank, and references exceed 16 characters. */
const ENTRY = /^(\d{6})(\d{4}|\s{4})?\s*(R?[DC])[A-Z]?\s*(\d[\d,]*)\s*(?:(?=NONREF)|[A-Z][A-Z0-9 ]{3})(.*)$/

const UNREADABLE_ENTRY =
  'This statement line (:61:) cannot be read: a date, C or D, an amount and a type are expected. Export the file again.'

/** In words if it cannot be read. */
function entryIn({ lines }: Field): Entry | string {
  const [, valueDate = '', entryDate = '', mark = '', digits = '', names = ''] = ENTRY.exec(lines[0] ?? '') ?? []
  const amount = plainDecimal(digits, 'comma')
  const value = interestDay(2000 + Number(valueDate.slice(0, 2)), valueDate.slice(2))
  const bookedOn = dateOf(valueDate, entryDate.trim())
  if (amount === null) return UNREADABLE_ENTRY
  if (value === null || bookedOn === null)
    return `The date ${valueDate}${entryDate} does not exist. Export the file again.`
  const [reference = '', bankReference = '', ...more] = names.split('//')
  // With more than one `//`, a part may name another payment.
  const isClear = more.length === 0
  return {
    mark,
    amount,
    bookedOn,
    valueDate: value,
    reference: isClear ? reference.trim() : '',
    bankReference: isClear ? bankReference.trim() : '',
  }
}

/** German banks count interest in months of 30 days. */
const interestDay = (year: number, day: string): string | null =>
  isoDay(year, day) ?? (/^02(29|30)$/.test(day) ? (isoDay(year, '0229') ?? isoDay(year, '0228')) : null)

/** Uses the year nearest to the value date; without an entry date, the value date. */
function dateOf(valueDate: string, entryDate: string): string | null {
  const [year, day] = [2000 + Number(valueDate.slice(0, 2)), valueDate.slice(2)]
  if (/^(0000)?$/.test(entryDate)) return isoDay(year, day)
  const value = interestDay(year, day)
  if (value === null) return null
  const away = (one: number): number =>
    Math.abs(Date.UTC(one, Number(entryDate.slice(0, 2)) - 1, Number(entryDate.slice(2))) - Date.parse(value))
  const [nearest = year] = [year, year - 1, year + 1].toSorted((one, other) => away(one) - away(other))
  return isoDay(nearest, entryDate)
}

interface Around {
  readonly place: number
  readonly account: string
  readonly currency: string
  readonly details: Details
}

function asRead(entry: Entry, { place, account, currency, details }: Around): EntryRead {
  const { mark, amount, bookedOn, valueDate } = entry
  if (mark === 'RD') return { leftOut: 'reversal' }
  const keyText = textOfDetails(details.lines)
  const text = `${keyText} ${details.more}`.trim()
  const texts = text === keyText ? { text } : { text, keyText }
  const isCutText = entry.reference.length === CUT_AT && text.includes(entry.reference + entry.bankReference)
  const bankReference = isCutText ? '' : entry.bankReference
  const reference = referenceOf(entry.reference, details.lines, keyText)
  if (mark !== 'C') {
    const isReversal = mark === 'RC'
    const references = [reference, bankReference]
    const debit = { account, amount, currency, references, ...texts, isReversal, bookedOn, where: `line ${place}` }
    return { leftOut: isReversal ? 'reversal' : 'paid-out', debit }
  }
  if (moneyOf(amount).isZero()) return { leftOut: 'no-amount' }
  const { payerName, payerAccount } = payerIn(details.lines)
  const payer = { payerName: payerName || details.payer, payerAccount }
  return {
    line: { account, place, reference, amount, currency, bankReference, bookedOn, valueDate, ...texts, ...payer },
  }
}

/** In German parts (`?31`, `?32`, `?33`) or behind codes between slashes. */
function payerIn(details: readonly string[]): Pick<PaymentLine, 'payerName' | 'payerAccount'> {
  const whole = details.join('')
  if (IN_PARTS.test(whole)) {
    const part = (code: string): string => new RegExp(`\\?${code}([^?]*)`).exec(whole)?.[1] ?? ''
    return { payerName: `${part('32')}${part('33')}`.trim(), payerAccount: part('31').trim() }
  }
  // The ordering party is the payer; the beneficiary (BENM) is not.
  const [, payer = whole.includes('/BENM/') ? '' : whole] = /\/ORDP\/(.*?)(?:\/BENM\/|$)/.exec(whole) ?? []
  const [, account = '', name = ''] = /\/CNTP\/([^/]*)\/[^/]*\/([^/]*)/.exec(payer) ?? []
  return {
    payerName: (/\/NAME\/([^/]+)/.exec(payer)?.[1] ?? name).trim(),
    payerAccount: (/\/IBAN\/([^/]+)/.exec(payer)?.[1] ?? account).trim(),
  }
}

/** The reference is in tag 86, after this code. */
const MARKER = /^(EREF|PREF|MREF|MARF|KREF)\+?$/
/** Banks cut references, parts of tag 86 and its lines at these lengths. */
const CUT_AT = 16
const PART_MAX_CHARS = 27
const LINE_MAX_CHARS = 65

function referenceOf(reference: string, details: readonly string[], text: string): string {
  const [, marker] = MARKER.exec(reference) ?? []
  if (marker !== undefined) return referenceBehind(marker, details)
  const at = reference.length === CUT_AT ? text.indexOf(reference) : -1
  const goesOn = at !== -1 && /[\p{L}\p{N}._~-]/u.test(text.charAt(at + CUT_AT))
  return goesOn ? '' : reference
}

const CODES =
  'EREF|KREF|MREF|PREF|MARF|CRED|DEBT|CSID|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|CNTP|REMI|USTD|STRD|RTRN|NAME|BENM|ORDP|ULTC|ULTD|PURP|TRTP|TRCD|ADDR|ISDT|ID'

/** German banks split the text: a business code, then `?20`, `?21` and so on. */
const IN_PARTS = /^\d{3}\?\d{2}/

/** Empty if the end of the reference is not certain. */
function referenceBehind(code: string, details: readonly string[]): string {
  const whole = details.join('')
  if (IN_PARTS.test(whole)) {
    const part = whole.split(/\?\d{2}/).find((one) => one.startsWith(`${code}+`)) ?? ''
    return part.length < PART_MAX_CHARS ? oneWord(part.slice(code.length + 1)) : ''
  }
  const slashes = new RegExp(`/${code}/(.+?)/{1,2}((?:${CODES})/.*)?$`)
  const plusSign = new RegExp(`(?:^|\\s)${code}\\+(.+?)(?:\\s*(?:${CODES})\\+.*)?$`)
  for (const line of details) {
    const isWhole = line.length % LINE_MAX_CHARS !== 0
    const [, slashed, next] = slashes.exec(line) ?? []
    const found = slashed ?? plusSign.exec(line)?.[1]
    if (found !== undefined && (isWhole || next !== undefined)) return oneWord(found)
  }
  return ''
}

const oneWord = (text: string): string => (/\s/.test(text.trim()) ? '' : text.trim())

function textOfDetails(details: readonly string[]): string {
  const text = details.join(' ')
  const parts = IN_PARTS.test(text) ? text.slice(3).replaceAll(/\?\d{2}/g, ' ') : text
  return parts.replaceAll(/ {2,}/g, ' ').trim()
}
