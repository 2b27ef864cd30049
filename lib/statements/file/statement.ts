import 'server-only'
import type { Money } from '#lib/values/money.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import type { ColumnMark, DecimalMark } from './amount-text.ts'
import type { ColumnDates, DateOrder } from './date-text.ts'

/** A day of one bank account is smaller. */
export const LINES_MAX = 10_000
export const COLUMNS_MAX = 200
const TEXT_MAX_CHARS = 4_000
const FAULT_MAX_CHARS = 300
const FAULTS_MAX = 20

export const NO_PAYMENTS = 'The statement has no incoming payments.'
export const NO_BOOKED = 'The statement has no booked incoming payments.'

export type StatementFormat = 'csv' | 'camt.052' | 'camt.053' | 'camt.054' | 'mt940' | 'ofx' | 'qif' | 'xlsx'

/** Positions from 0. */
export interface ColumnMapping {
  /** False if the first row is a payment. */
  readonly headings: boolean
  readonly reference: number | null
  readonly amount: number
  readonly bankReference: number | null
  readonly bookedOn: number | null
  readonly currency: number | null
  readonly text: number | null
  /** Null if no amount of the column depends on it. */
  readonly decimalMark: DecimalMark | null
  /** Older mappings lack what follows. */
  readonly paidOut?: number | null
  readonly valueDate?: number | null
  readonly payerName?: number | null
  readonly payerAccount?: number | null
  /** True for money received. */
  readonly direction?: ColumnMeaning | null
  /** True for booked payments. */
  readonly status?: ColumnMeaning | null
  /** ISO 4217, for all amounts of a table that names no currency. */
  readonly currencyCode?: string | null
  /** Null if no date of the table depends on it. Without it, dates that depend on it are kept as written. */
  readonly dateOrder?: DateOrder | null | undefined
}

/** What each text of a column means. Other texts must be mapped first. */
export interface ColumnMeaning {
  readonly column: number
  readonly values: Readonly<Record<string, boolean>>
}

export type MeaningField = 'direction' | 'status'

export type ColumnField = Exclude<
  keyof ColumnMapping,
  'headings' | 'decimalMark' | 'currencyCode' | 'dateOrder' | MeaningField
>

export type DraftMapping = Omit<ColumnMapping, 'amount'> & { readonly amount: number | null }

export interface TableView {
  readonly headings: boolean
  /** Equal for files of one sender: the separator, and the lines above the table that have no figures. */
  readonly shape: readonly string[]
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly marks: readonly ColumnMark[]
  readonly dates: readonly ColumnDates[]
  /** The different texts of each column; empty if there are many, or only figures. */
  readonly values: readonly (readonly string[])[]
}

export interface StatementLine extends PaymentLine {
  /** Why the money is not there any more, in words; empty if it is. */
  readonly returned: string
}

export interface PaymentLine {
  /** The account that received it; empty if the file names none. */
  readonly account: string
  /** Line or XML entry, from 1. */
  readonly place: number
  readonly reference: string
  /** Decimal text with a point, without grouping. */
  readonly amount: string
  /** ISO 4217; may be empty. */
  readonly currency: string
  readonly bankReference: string
  /** ISO 8601 dates; as written in a table whose format is not certain, and empty if the file has none. */
  readonly bookedOn: string
  readonly valueDate: string
  readonly text: string
  /** For keys in place of the text, which grew. */
  readonly keyText?: string
  /** Empty if the file has none. */
  readonly payerName: string
  readonly payerAccount: string
}

/** Money that left the account, and may have taken back a payment. */
export interface Debit {
  readonly account: string
  /** Decimal text without a sign. */
  readonly amount: string
  readonly currency: string
  readonly references: readonly string[]
  readonly text: string
  readonly keyText?: string
  readonly isReversal: boolean
  /** As of a payment. */
  readonly bookedOn: string
  /** In words, such as `line 12`. */
  readonly where: string
}

/** A debit that took back a payment of its own file. */
export interface OwnReturn {
  /** The place among the file's lines, from 0. */
  readonly at: number
  readonly debit: Debit
}

/** One statement of one account. Texts are empty, and balances null, where the file has none. */
export interface AccountStatement {
  readonly account: string
  /** Of the statement, without its page. */
  readonly number: string
  readonly currency: string
  /** Decimal text; negative if overdrawn. */
  readonly opening: string | null
  readonly closing: string | null
}

export interface FileFault {
  readonly place: number | null
  readonly what: string
}

export type LeftOutReason = 'paid-out' | 'no-amount' | 'reversal' | 'not-booked' | 'total'

export interface LeftOut {
  readonly counts: Readonly<Partial<Record<LeftOutReason, number>>>
  readonly remarks: readonly FileFault[]
  /** An operator must give a reason to import the file in spite of them. */
  readonly warnings: readonly FileFault[]
}

export interface ReadSummary extends LeftOut {
  readonly totals: readonly {
    readonly currency: string
    readonly count: number
    readonly sum: string
    readonly largest: string
  }[]
  readonly first: readonly StatementLine[]
}

export type ReadFile =
  | {
      readonly kind: 'columns'
      readonly format: StatementFormat
      readonly head: TableView
      readonly draft: DraftMapping
    }
  | { readonly kind: 'broken'; readonly faults: readonly FileFault[]; readonly head: TableView | null }
  | {
      readonly kind: 'whole'
      readonly format: StatementFormat
      readonly lines: readonly StatementLine[]
      /** SHA-256, computed in the worker. */
      readonly linesDigest: string
      readonly leftOut: number
      readonly accounts: readonly AccountStatement[]
      readonly returns: readonly OwnReturn[]
      readonly debits: readonly Debit[]
      readonly summary: ReadSummary
      readonly head: TableView | null
    }

export type ParsedStatement =
  | {
      readonly ok: true
      readonly format: StatementFormat
      readonly lines: readonly PaymentLine[]
      readonly leftOut: LeftOut
      readonly accounts: readonly AccountStatement[]
      readonly debits: readonly Debit[]
    }
  | { readonly ok: false; readonly faults: readonly FileFault[] }

export type EntryRead =
  | { readonly line: PaymentLine }
  | { readonly leftOut: LeftOutReason; readonly debit?: Debit }
  | { readonly debit: Debit }
  | { readonly fault: FileFault }
  | { readonly remark: FileFault; readonly notImported?: Balance }
  | { readonly warning: FileFault }

/** Negative if overdrawn. */
export interface Balance {
  readonly money: Money
  readonly currency: string
}

export const differenceWords = (computed: Money, closing: Balance): string =>
  `The opening balance and the lines give ${computed.toShown()} ${closing.currency}, but the closing balance is ${closing.money.toShown()} ${closing.currency}. Compare the file with the bank’s online statement.`

export const otherAccountsWords = (count: number): string =>
  count > 0 ? `Not imported: ${counted(count, 'transaction')} of other accounts, such as credit cards.` : ''

/** What banks write in place of a reference (SWIFT, ISO 20022). */
const PLACEHOLDER = /^(NONREF|NOT\s*PROVIDED)$/i

export const isReference = (text: string): boolean => text.trim() !== '' && !PLACEHOLDER.test(text.trim())

/** By its check digits: other references may look like one. */
export function isIban(text: string): boolean {
  const [, start = '', rest = ''] = /^([A-Z]{2}\d{2})([A-Z\d]{11,30})$/.exec(text) ?? []
  const digits = [...`${rest}${start}`].map((char) => Number.parseInt(char, 36)).join('')
  return rest !== '' && BigInt(digits) % 97n === 1n
}

function withReferences(line: PaymentLine): PaymentLine {
  const referenceIn = (text: string): string => (isReference(text) ? text : '')
  return { ...line, reference: referenceIn(line.reference), bankReference: referenceIn(line.bankReference) }
}

/** Pages of one statement are joined in `accounts`. */
export function statementOf(
  format: StatementFormat,
  entries: readonly EntryRead[],
  accounts: readonly AccountStatement[] = [],
): ParsedStatement {
  const faults = entries.flatMap((entry) => ('fault' in entry ? [entry.fault] : []))
  if (faults.length > 0) return broken(...faults)
  const counts: Partial<Record<LeftOutReason, number>> = {}
  for (const entry of entries) {
    if ('leftOut' in entry) counts[entry.leftOut] = (counts[entry.leftOut] ?? 0) + 1
  }
  const lines = entries.flatMap((entry) => ('line' in entry ? [withReferences(entry.line)] : []))
  const debits = entries.flatMap((entry) =>
    'debit' in entry && entry.debit ? [{ ...entry.debit, references: entry.debit.references.filter(isReference) }] : [],
  )
  const remarks = entries.flatMap((entry) => ('remark' in entry ? [entry.remark] : []))
  const warnings = entries.flatMap((entry) => ('warning' in entry ? [entry.warning] : []))
  const leftOut = { counts, remarks: shortened(remarks), warnings: shortened(warnings) }
  return whole({ ok: true, format, lines, leftOut, accounts: joinPages(accounts), debits })
}

/** A page opens with the balance that the page before closed with. */
function joinPages(pages: readonly AccountStatement[]): readonly AccountStatement[] {
  const joined: AccountStatement[] = []
  for (const page of pages) {
    const before = joined.findIndex(
      ({ account, number, currency, closing }) =>
        number !== '' &&
        account === page.account &&
        number === page.number &&
        currency === page.currency &&
        (closing === null || page.opening === null || closing === page.opening),
    )
    const first = joined[before]
    if (first === undefined) joined.push(page)
    else joined[before] = { ...first, opening: first.opening ?? page.opening, closing: page.closing ?? first.closing }
  }
  return joined
}

export const signedText = ({ money }: Balance): string =>
  `${money.isNegative() ? '-' : ''}${money.absolute().toExact()}`

/** A parser's message may quote the whole file. */
function shortened(faults: readonly FileFault[]): readonly FileFault[] {
  const first = faults.slice(0, FAULTS_MAX).map(({ place, what }) => ({ place, what: what.slice(0, FAULT_MAX_CHARS) }))
  const more = faults.length - first.length
  return more === 0 ? first : [...first, { place: null, what: `And ${formatCount(more)} more.` }]
}

export const broken = (...faults: readonly FileFault[]): ParsedStatement => ({ ok: false, faults: shortened(faults) })

function whole(parsed: Extract<ParsedStatement, { ok: true }>): ParsedStatement {
  const { lines, debits, accounts, leftOut } = parsed
  if (lines.length > LINES_MAX) {
    const count = formatCount(lines.length)
    return broken({
      place: null,
      what: `The statement has ${count} lines; at most ${formatCount(LINES_MAX)} are imported. Split it.`,
    })
  }
  const long = lines.filter((line) => Object.values(line).some((text) => String(text).length > TEXT_MAX_CHARS))
  if (long.length > 0) {
    const what = `A text of this line has more than ${formatCount(TEXT_MAX_CHARS)} characters. Remove it.`
    return broken(...long.map(({ place }) => ({ place, what })))
  }
  // A day without movements closes with the balance that the next one opens with.
  const isDay = accounts.some(({ account, opening, closing }) => account !== '' && opening !== null && closing !== null)
  if (lines.length === 0 && debits.length === 0 && !isDay) {
    const count = leftOut.counts['not-booked'] ?? 0
    return broken({ place: null, what: count === 0 ? NO_PAYMENTS : `${NO_BOOKED} Not booked: ${formatCount(count)}.` })
  }
  return parsed
}
