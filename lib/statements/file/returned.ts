import 'server-only'
import { createHash } from 'node:crypto'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import { isDay } from '#lib/values/time.ts'
import { moneyOf } from './amount-text.ts'
import { type Debit, isIban, isReference, type OwnReturn, type PaymentLine, type StatementLine } from './statement.ts'

/** Shorter references may be anywhere in a text. */
const NAMED_IN_TEXT_MIN_CHARS = 6
/** More than two names in a text. */
const SCORE_OF_REFERENCE = 10_000

type Payment = Pick<StatementLine, 'account' | 'currency' | 'amount' | 'reference' | 'bankReference'>

export const moneyKey = ({ currency, amount }: Pick<Payment, 'currency' | 'amount'>): string =>
  `${currency || 'BZD'} ${moneyOf(amount).toExact()}`

/** Of a German bank and account, without the zeros that the IBAN has, and with a currency. */
const BANK_AND_ACCOUNT = /^(\d{8})\/(\d{1,10})\s*([A-Z]{3})?$/

const asInIban = (account: string): string =>
  account.trim().replace(BANK_AND_ACCOUNT, (_whole, bank: string, number: string) => bank + number.padStart(10, '0'))

/** `37040044/0532013000` is part of the IBAN. An unknown account may be any. */
export function isSameAccount(one: string, other: string): boolean {
  const accounts = [one, other].map((account) => plainAccount(asInIban(account)))
  const [shorter = '', longer = ''] = accounts.toSorted((a, b) => a.length - b.length)
  return shorter === '' || shorter === longer || (shorter.length >= 6 && longer.includes(shorter))
}

/** As debits may give them. An account names no payment. */
export const namesOf = ({ account, reference, bankReference }: Omit<Payment, 'currency' | 'amount'>): string[] =>
  [...new Set([reference, bankReference].map(foldBankReference))].filter(
    (name) => isReference(name) && !isIban(name) && plainAccount(name) !== plainAccount(account),
  )

/** Days as written cannot be compared. */
export const mayTakeBack = (debit: Debit, bookedOn: string): boolean =>
  bookedOn <= debit.bookedOn || !isDay(bookedOn) || !isDay(debit.bookedOn)

interface NamedPayment {
  readonly account: string
  readonly names: readonly string[]
}

/** The payment to its account that the debit names best. */
export function findNamed<One extends NamedPayment>(debit: Debit, payments: readonly One[]): One | undefined {
  const given = new Set(debit.references.map(foldBankReference))
  const text = debit.text.toUpperCase()
  const scoreOf = (name: string): number => {
    if (given.has(name)) return SCORE_OF_REFERENCE
    return name.length >= NAMED_IN_TEXT_MIN_CHARS && hasWord(text, name) ? name.length : 0
  }
  let [best, bestScore]: [One | undefined, number] = [undefined, 0]
  for (const one of payments) {
    const score = one.names.reduce((sum, name) => sum + scoreOf(name), 0)
    if (score > bestScore && isSameAccount(debit.account, one.account)) [best, bestScore] = [one, score]
  }
  return best
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1) + text.charAt(at + word.length))) return true
  }
  return false
}

/** The same for one debit in several files of one format. Hashed, since it must not keep a text that is erased. */
export const debitKey = (debit: Debit): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        moneyKey(debit),
        plainAccount(debit.account),
        debit.bookedOn,
        debit.references.length > 0 ? debit.references.map(foldBankReference).toSorted() : debit.text,
      ]),
    )
    .digest('hex')

/** Lines of before have the key of the text without its second line. */
export const isKeyOf = (debit: Debit, key: string | null): boolean =>
  [debit, { ...debit, text: debit.keyText || debit.text }].some((one) => debitKey(one) === key)

const plainAccount = (account: string): string => account.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

export interface Returned {
  readonly lines: readonly StatementLine[]
  readonly returns: readonly OwnReturn[]
  /** Debits that may take back a payment of an earlier file. */
  readonly debits: readonly Debit[]
}

/** Of its amount: the one that a debit names or, for a reversal without a name, the only one. */
export function markReturned(payments: readonly PaymentLine[], debits: readonly Debit[]): Returned {
  const named = payments.map((payment) => ({ payment, account: payment.account, names: namesOf(payment) }))
  const byMoney = Map.groupBy(named, ({ payment }) => moneyKey(payment))
  const returnedBy = new Map<PaymentLine, Debit>()
  const left: Debit[] = []
  for (const debit of debits) {
    const equal = (byMoney.get(moneyKey(debit)) ?? []).filter(
      ({ payment }) => !returnedBy.has(payment) && mayTakeBack(debit, payment.bookedOn),
    )
    const isUnnamed = debit.isReversal && debit.references.length === 0
    const own = isUnnamed ? equal.filter(({ account }) => isSameAccount(debit.account, account)) : []
    const found = findNamed(debit, equal) ?? (own.length === 1 ? own[0] : undefined)
    if (found !== undefined) returnedBy.set(found.payment, debit)
    else left.push(debit)
  }
  const lines = payments.map((payment) => ({ ...payment, returned: returnWords(returnedBy.get(payment)) }))
  const returns = payments.flatMap((payment, at) => {
    const debit = returnedBy.get(payment)
    return debit === undefined ? [] : [{ at, debit }]
  })
  return { lines, returns, debits: left.filter(({ references, text }) => references.length > 0 || text !== '') }
}

export const wentBack = ({ isReversal }: Debit): string => (isReversal ? 'reversed' : 'paid out again')

const returnWords = (debit: Debit | undefined): string =>
  debit === undefined ? '' : `The money went back: ${wentBack(debit)} at ${debit.where} of this file.`
