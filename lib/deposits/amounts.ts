import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { Money } from '#lib/values/money.ts'

export type AmountComparison =
  | { readonly match: true }
  | { readonly match: false; readonly difference: string; readonly statementIsMore: boolean }

/** `statement`: as typed. Null if an amount is unreadable. */
export function compareAmounts(statement: string, debit: string): AmountComparison | null {
  const [received, announced] = [Money.fromTyped(statement), Money.fromWire(debit)]
  if (!received.ok || announced === null) return null
  if (received.money.equals(announced)) return { match: true }
  const difference = received.money.minus(announced)
  return { match: false, difference: difference.absolute().toExact(), statementIsMore: !difference.isNegative() }
}

export function confirmFault(facts: {
  readonly state: string
  readonly debit: string
  readonly credit: string
}): string | null {
  if (facts.state !== 'QUEUED')
    return `This transaction is ${transactionStateWords(facts.state).word}. Only a queued deposit can be confirmed.`
  const [debit, credit] = [Money.fromWire(facts.debit), Money.fromWire(facts.credit)]
  if (debit === null || credit === null) return 'The amounts of this transaction cannot be read.'
  if (credit.isMoreThan(debit)) {
    return `The recipient would get ${credit.minus(debit).toShown()} more than the sender pays. Don’t confirm it; report it.`
  }
  return null
}
