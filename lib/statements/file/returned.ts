import 'server-only'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import { moneyOf } from './amount-text.ts'
import type { Debit, PaymentLine, StatementLine } from './statement.ts'

/** Shorter references may be anywhere in a text. */
const NAMED_IN_TEXT_MIN_CHARS = 6

type Payment = Pick<StatementLine, 'account' | 'currency' | 'amount' | 'reference' | 'bankReference'>

const keyOf = ({ currency, amount }: Pick<Payment, 'currency' | 'amount'>): string =>
  `${currency} ${moneyOf(amount).toExact()}`

/** `37040044/0532013000` is part of the IBAN. An unknown account may be any. */
export function isSameAccount(one: string, other: string): boolean {
  const [shorter = '', longer = ''] = [one, other]
    .map((account) => account.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase())
    .toSorted((a, b) => a.length - b.length)
  return shorter === '' || shorter === longer || (shorter.length >= 6 && longer.includes(shorter))
}

/** Whether the debit names this payment, which has its amount. */
export function takesBack(debit: Debit, payment: Payment): boolean {
  if (!isSameAccount(debit.account, payment.account) || keyOf(debit) !== keyOf(payment)) return false
  const names = [payment.reference, payment.bankReference].map(foldBankReference).filter((name) => name !== '')
  const given = debit.references.map(foldBankReference)
  const text = debit.text.toUpperCase()
  return names.some(
    (name) => given.includes(name) || (name.length >= NAMED_IN_TEXT_MIN_CHARS && text.includes(name.toUpperCase())),
  )
}

export interface Returned {
  readonly lines: readonly StatementLine[]
  /** Debits that may take back a payment of an earlier file. */
  readonly debits: readonly Debit[]
}

/**
 * A debit takes back one payment of its amount: the one that it names or, for a reversal without a name, the only one.
 */
export function markReturned(payments: readonly PaymentLine[], debits: readonly Debit[]): Returned {
  const byAmount = new Map<string, number[]>()
  for (const [at, payment] of payments.entries()) {
    const key = keyOf(payment)
    const equal = byAmount.get(key)
    if (equal === undefined) byAmount.set(key, [at])
    else equal.push(at)
  }
  const returnedBy = new Map<number, Debit>()
  const left: Debit[] = []
  for (const debit of debits) {
    const equal = (byAmount.get(keyOf(debit)) ?? []).filter((at) => !returnedBy.has(at))
    const named = equal.find((at) => takesBack(debit, payments[at] as PaymentLine))
    const only = debit.isReversal && debit.references.length === 0 && equal.length === 1 ? equal[0] : undefined
    const at = named ?? only
    if (at !== undefined) returnedBy.set(at, debit)
    else left.push(debit)
  }
  const lines = payments.map((payment, at) => ({ ...payment, returned: returnWords(returnedBy.get(at)) }))
  return { lines, debits: left.filter(({ references, text }) => references.length > 0 || text !== '') }
}

const returnWords = (debit: Debit | undefined): string =>
  debit === undefined
    ? ''
    : `The money went back: ${debit.isReversal ? 'reversed' : 'paid out again'} at ${debit.where} of this file.`
