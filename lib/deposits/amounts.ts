import { TRANSFER, transactionStateWords } from '#lib/transactions/transaction.ts'
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

/** Absent for what may be a deposit. */
export type TransferFact = Partial<Readonly<Record<'transactionType', string>>>

export const transferFact = ({ transactionType }: { readonly transactionType: string }): TransferFact =>
  transactionType === TRANSFER ? { transactionType } : {}

type ConfirmFacts = Readonly<Record<'state' | 'debit' | 'credit', string>> & TransferFact

export function confirmFault(facts: ConfirmFacts): string | null {
  if (facts.transactionType === TRANSFER) return 'This is a transfer between wallets. Only a deposit can be confirmed.'
  if (facts.state !== 'QUEUED')
    return `This transaction is ${transactionStateWords(facts.state).word}. Only a queued deposit can be confirmed.`
  const [debit, credit] = [Money.fromWire(facts.debit), Money.fromWire(facts.credit)]
  if (debit === null || credit === null) return 'The amounts of this transaction cannot be read.'
  if (credit.isMoreThan(debit)) {
    return `The recipient would get ${credit.minus(debit).toShown()} more than the sender pays. Don’t confirm it; report it.`
  }
  return null
}
