import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { moneyOf, plus, ZERO } from '#lib/statements/file/amount-text.ts'
import { reportOf } from '#lib/statements/file/report.ts'
import { NO_BOOKED, NO_PAYMENTS, type ReadFile } from '#lib/statements/file/statement.ts'

/** Source code, pictures, documents. */
const NO_STATEMENT =
  /\.(md|rst|adoc|pdf|docx?|html?|css|png|jpe?g|gif|ico|svg|webp|json|ya?ml|toml|ini|cfg|lock|pot?|py|rb|php|js|mjs|cjs|ts|tsx|java|kt|cs|go|rs|[ch]|cpp|pl|sh|bat|ps1|sql)$|^(licen[cs]e|readme|authors|change(s|log)|contributing|notice|version|makefile|dockerfile)\b/i

export function statementFiles(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .filter(({ name }) => !NO_STATEMENT.test(name))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => path.split(sep).every((part) => !part.startsWith('.') && part !== 'node_modules'))
    .toSorted()
}

export interface Credit {
  /** Decimal text with a point; negative for money paid out. */
  readonly amount: string
  readonly currency: string
}

export type Reading =
  | { readonly kind: 'read'; readonly format: string; readonly credits: readonly Credit[] }
  | { readonly kind: 'asks'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isEmpty: boolean }

export function readingOf(read: ReadFile): Reading {
  if (read.kind === 'whole') return { kind: 'read', format: read.format, credits: read.lines }
  const { faults, asks } = reportOf(read, null)
  if (asks.length > 0) return { kind: 'asks', why: 'its columns must be mapped' }
  const { place = null, what = '' } = faults[0] ?? {}
  const isEmpty = what === NO_PAYMENTS || what.startsWith(NO_BOOKED)
  return { kind: 'refused', why: `${place === null ? '' : `line ${place}: `}${what}`, isEmpty }
}

export function sumsOf(credits: readonly Credit[]): string {
  const sums = new Map<string, typeof ZERO>()
  for (const { amount, currency } of credits) sums.set(currency, plus(sums.get(currency) ?? ZERO, moneyOf(amount)))
  return [...sums].map(([currency, sum]) => `${currency} ${sum.toShown()}`.trim()).join(', ')
}

/** `none`: neither reader has credits. `unread`: the import refuses the file or asks, and the other reader has some. */
export interface Verdict {
  readonly kind: 'equal' | 'differs' | 'none' | 'unread'
  readonly why: string
}

export function compare(reading: Reading, independent: readonly Credit[]): Verdict {
  const theirs = independent.filter(isNotZero)
  if (reading.kind === 'read' && reading.credits.length + theirs.length > 0) {
    const why = differenceOf(reading.credits.filter(isNotZero), theirs)
    return why === null ? { kind: 'equal', why: '' } : { kind: 'differs', why }
  }
  if (theirs.length === 0) return { kind: 'none', why: '' }
  const isEmpty = reading.kind === 'refused' && reading.isEmpty
  return { kind: isEmpty ? 'differs' : 'unread', why: `count: 0 here, ${theirs.length} there` }
}

const isNotZero = ({ amount }: Credit): boolean => !moneyOf(amount).isZero()

/** The elements that the other list has less often. */
function missingIn(others: readonly string[], some: readonly string[]): readonly string[] {
  const left = [...others]
  return some.filter((one) => {
    const at = left.indexOf(one)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

const SHOWN_MOST = 3
const shown = (all: readonly string[]): string =>
  `${all.slice(0, SHOWN_MOST).join(', ')}${all.length > SHOWN_MOST ? ', …' : ''}`

/** Null if both have the same amounts, in any order. A currency is compared if all credits name one. */
function differenceOf(ours: readonly Credit[], theirs: readonly Credit[]): string | null {
  if (ours.length !== theirs.length) return `count: ${ours.length} here, ${theirs.length} there`
  const isNamed = [...ours, ...theirs].every(({ currency }) => currency !== '')
  const texts = (all: readonly Credit[], isSigned: boolean) =>
    all.map(({ amount, currency }) => {
      const money = moneyOf(amount)
      return `${isNamed ? currency : ''} ${(isSigned ? money : money.absolute()).toShown()}`.trim()
    })
  const [signed, signedThere] = [texts(ours, true), texts(theirs, true)]
  const onlyHere = missingIn(signedThere, signed)
  if (onlyHere.length === 0) return null
  const isSign = missingIn(texts(theirs, false), texts(ours, false)).length === 0
  return `${isSign ? 'signs' : 'amounts'}: ${shown(onlyHere)} here, ${shown(missingIn(signed, signedThere))} there`
}

/** Throws on other JSON than `{"credits": [{"amount": "12.50", "currency": "BZD"}]}`. */
export function creditsIn(text: string): readonly Credit[] {
  const { credits } = JSON.parse(text) as { readonly credits: readonly Readonly<Record<string, unknown>>[] }
  return credits.map(({ amount, currency }) => {
    const credit = { amount: String(amount), currency: String(currency ?? '') }
    moneyOf(credit.amount)
    return credit
  })
}
