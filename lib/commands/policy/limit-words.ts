import type { PolicyRule } from '#lib/config/policy.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { timeInText } from '#lib/values/time.ts'
import type { LimitRule } from './rules.ts'

type Rule = Pick<LimitRule, 'when' | 'limit'>

const decisions = { refund: 'for the sender', release: 'for the recipient' } as const

/** Which changes of a kind a rule is about: `of 1,000.00 BZD or more`; empty where it is about all of them. */
export function conditionWords({ when }: Pick<PolicyRule, 'when'>): string {
  const words = []
  if (when.decision !== undefined) words.push(decisions[when.decision])
  if (when.amountAtLeast !== undefined) words.push(`of ${shownAmount(when.amountAtLeast)} BZD or more`)
  if (when.enteredByHand) words.push('with a reference entered by hand')
  if (when.freedByHand) words.push('with a bank’s reference that was freed by hand')
  return words.join(', ')
}

/** `3,000.00 BZD and 5 changes`. */
export function limitWords({ sum, count }: Rule['limit']): string {
  const words = []
  if (sum !== undefined) words.push(`${shownAmount(sum)} BZD`)
  if (count !== undefined) words.push(changesWords(count))
  return words.join(' and ')
}

/** `5 changes`. */
export const changesWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'change' : 'changes'}`

interface Found {
  readonly rule: Rule
  readonly used: { readonly sum: string; readonly count: number }
  readonly fitsAt: string | null
}

/** Why a change is not sent: the limit, what of it is used, and when there is room. */
export function beyondWords({ rule, used, fitsAt }: Found): string {
  const { sum, count } = rule.limit
  const of = conditionWords(rule)
  const parts = []
  if (sum !== undefined) parts.push(`${shownAmount(used.sum)} of ${shownAmount(sum)} BZD`)
  if (count !== undefined) parts.push(`${used.count.toLocaleString('en-US')} of ${changesWords(count)}`)
  const which = of === '' ? 'of this kind' : `of this kind ${of}`
  const room =
    fitsAt === null
      ? 'There is never room for one of this amount.'
      : `There is room for it from ${timeInText(fitsAt)} on.`
  return `In the last 24 hours you sent ${parts.join(' and ')} ${which}. ${room}`
}
