import type { LimitUse } from '#lib/commands/command.ts'
import { changesWords } from '#lib/commands/policy/rule-words.ts'
import { shownAmount } from '#lib/values/amount-text.ts'

/** `1,200.00 of 3,000.00 BZD, 2 of 5 changes` */
export function usedWords({ sum, count }: Pick<LimitUse, 'sum' | 'count'>): string {
  const words = []
  if (sum !== null) words.push(`${shownAmount(sum.used)} of ${shownAmount(sum.limit)} BZD`)
  if (count !== null) words.push(`${count.used.toLocaleString('en-US')} of ${changesWords(count.limit)}`)
  return words.join(', ')
}

export const limitSentence = (limit: Pick<LimitUse, 'sum' | 'count' | 'counting'>): string =>
  `Your limit in 24 hours: ${usedWords(limit)} used${limit.counting === '' ? '' : `, counting ${limit.counting}`}.`
