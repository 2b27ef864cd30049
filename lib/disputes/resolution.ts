import type { CommandView, Line } from '#lib/commands/command.ts'
import { CATEGORY_LINE } from '#lib/disputes/categories/category.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { sameAccount, shortId } from '#lib/values/ids.ts'
import { requiredTextFault } from '#lib/values/text.ts'

/** `release` means that the service's `releaseToRecipient` is true. */
export type Decision = 'refund' | 'release'

export interface Disputed {
  readonly fromAccountId: string
  readonly toAccountId: string
  readonly debit: string
  readonly credit: string
}

interface DecisionWords {
  readonly title: string
  readonly doneTitle: string
  readonly sentence: string
}

/** With a no-break space before the currency. */
export const shownMoney = (amount: string): string => `${shownAmount(amount)}\u00a0BZD`

const titles: Readonly<Record<Decision, Pick<DecisionWords, 'title' | 'doneTitle'>>> = {
  refund: { title: 'Refund the sender', doneTitle: 'Refunded the sender' },
  release: { title: 'Release to the recipient', doneTitle: 'Released to the recipient' },
}

/** The interface does not say whether a refund returns the fee, so this names what the sender paid. */
export function decisionWords(
  decision: Decision,
  { fromAccountId, toAccountId, debit, credit }: Disputed,
): DecisionWords {
  const sentence =
    decision === 'release'
      ? `Recipient ${shortId(toAccountId)} keeps ${shownMoney(credit)}. The sender is not refunded.`
      : `A reversing transaction refunds sender ${shortId(fromAccountId)}, who paid ${shownMoney(debit)}.`
  return { ...titles[decision], sentence }
}

export const partyLines = (
  decision: Decision,
  { fromAccountId, toAccountId, debit, credit }: Disputed,
): readonly Line[] => [
  { label: 'Sender', value: fromAccountId, as: 'id' },
  { label: 'Sender paid', value: debit, as: 'money' },
  { label: 'Recipient', value: toAccountId, as: 'id' },
  decision === 'release'
    ? { label: 'Recipient keeps', value: credit, as: 'money' }
    : { label: PAYOUT_LINE, value: 'nothing', as: 'text' },
]

const REASON_MAX_CHARS = 2_000

export const reasonFault = (typed: string): string | null =>
  requiredTextFault(typed, REASON_MAX_CHARS, 'Enter a reason. Both sides see it.')

/** Ids in any case. */
export const isAmong = (userId: string | null, others: readonly string[]): boolean =>
  userId !== null && others.some((other) => sameAccount(other, userId))

export const REVERSAL_LINE = 'Reversing transaction'
export const DECISION_LINE = 'Decision'
const PAYOUT_LINE = 'Recipient gets'

const CHOICES: readonly string[] = [DECISION_LINE, CATEGORY_LINE, PAYOUT_LINE, REVERSAL_LINE]

/** Lines that stay when the texts of a decision are erased. */
export const isDecided = ({ label, as }: Line): boolean => as !== 'text' || CHOICES.includes(label)

/** `none`: the decision is known to be a release. `matched`: found in the sender's history, not named by the service. */
export type KnownReversal = { readonly reference: string; readonly matched?: true } | 'none' | 'not-confirmed'

export function knownReversal(resolution: CommandView | null): KnownReversal {
  const reversal = linesIn(resolution).find(({ label }) => label === REVERSAL_LINE)
  if (reversal?.as === 'reference') return { reference: reversal.value }
  return knownDecision(resolution) === 'release' ? 'none' : 'not-confirmed'
}

/** Null unless the resolution is known to have taken effect. */
export function knownDecision(resolution: CommandView | null): Decision | null {
  const decided = linesIn(resolution).find(({ label }) => label === DECISION_LINE)?.value
  if (decided === titles.refund.title) return 'refund'
  return decided === titles.release.title ? 'release' : null
}

/** Null also for a case that was resolved elsewhere. */
export const knownCategory = (resolution: CommandView | null): string | null =>
  linesIn(resolution).find(({ label }) => label === CATEGORY_LINE)?.value ?? null

const linesIn = (resolution: CommandView | null): readonly Line[] =>
  resolution?.outcome.class === 'done' ? resolution.outcome.lines : []

export interface CaseParties {
  readonly raisedByUserId: string
  readonly counterpartyUserId: string
  readonly fromAccountId: string | null
  readonly toAccountId: string | null
}

export type CaseRole = 'Sender' | 'Recipient' | 'Raised it' | 'Other side' | 'Arbitrator'

export function roleIn(parties: CaseParties, userId: string): CaseRole {
  const { fromAccountId, toAccountId, raisedByUserId, counterpartyUserId } = parties
  if (isAmong(fromAccountId, [userId])) return 'Sender'
  if (isAmong(toAccountId, [userId])) return 'Recipient'
  if (isAmong(raisedByUserId, [userId])) return 'Raised it'
  return isAmong(counterpartyUserId, [userId]) ? 'Other side' : 'Arbitrator'
}

/** A decision made in this console on another case. */
export interface SimilarDecision {
  readonly caseId: string
  readonly outcome: string
  readonly amount: string
  readonly reason: string
  /** Its present name; null without one. */
  readonly category: string | null
  readonly by: string
  /** ISO 8601. */
  readonly at: string
  readonly sameParties: boolean
}

export interface SimilarDecisions {
  readonly decisions: readonly SimilarDecision[]
  readonly more: number
  /** Set if only this many decisions were compared. */
  readonly comparedMost: number | null
}

const wordsOf = (reason: string): ReadonlySet<string> => new Set(reason.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu))

/** `other` has more than half of the words of `reason`, without words of up to three letters. */
export function isLikeReason(reason: string, other: string): boolean {
  const words = wordsOf(reason)
  return words.intersection(wordsOf(other)).size > words.size / 2
}
