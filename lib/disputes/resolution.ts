import { shownAmount } from '#lib/values/amount-text.ts'
import { textFault } from '#lib/values/typed-text.ts'
import { endOf } from '#lib/values/uuid.ts'

/** What an arbitrator can decide. The service's `releaseToRecipient` is true for the second. */
export type Decision = 'refund' | 'release'

/** Of a disputed transaction, what a decision is about. Amounts as the service gave them. */
export interface Disputed {
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly debit: string
  readonly credit: string
}

interface DecisionWords {
  /** The act. */
  readonly title: string
  /** Who gets what, and what is appended. */
  readonly sentence: string
}

/** An amount with its currency; a line never ends between the two. */
export const shownMoney = (amount: string): string => `${shownAmount(amount)}\u00a0BZD`

/** A decision in words: who keeps or gets what, and what is appended to the ledger. */
export function decisionWords(
  decision: Decision,
  { fromAccountId, toAccountId, debit, credit }: Disputed,
): DecisionWords {
  if (decision === 'release') {
    return {
      title: 'Release to the recipient',
      sentence: `Recipient ${endOf(toAccountId)} keeps ${shownMoney(credit)}. The transaction settles; none is appended.`,
    }
  }
  return {
    title: 'Refund the sender',
    sentence: `Sender ${endOf(fromAccountId)} gets ${shownMoney(debit)} back by a reversing transaction, which is appended.`,
  }
}

/** Both sides read it. */
const REASON_MAX_CHARS = 2_000

export const reasonFault = (typed: string): string | null =>
  textFault(typed, REASON_MAX_CHARS, 'Give the reason. Both sides read it.')

/** Whether somebody is one of these, however their ids are written. */
export const isAmong = (userId: string | null, others: readonly string[]): boolean =>
  userId !== null && others.some((other) => other.toLowerCase() === userId.toLowerCase())

/** The line of an outcome that tells which transaction refunded the sender. */
export const REVERSAL_LINE = 'Reversing transaction'

/** The line of an outcome that tells what was decided. */
export const DECISION_LINE = 'Decision'
