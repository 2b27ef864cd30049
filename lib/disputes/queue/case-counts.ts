import { visibleText } from '#lib/values/visible-text.ts'
import { ownProperty } from '#lib/values/words.ts'

export interface CaseCount {
  readonly status: string
  readonly outcome: string | null
  readonly count: number
}

const words: Readonly<Record<string, string>> = { REFUNDED: 'refunded', RELEASED: 'released', OPEN: 'open' }
const order = ['refunded', 'released', '', 'open']

const wordOf = ({ status, outcome }: CaseCount): string => {
  const raw = outcome ?? status
  return ownProperty(words, raw) ?? (raw === 'RESOLVED' ? 'resolved, outcome not told' : visibleText(raw))
}

const placeOf = (word: string): number => {
  const place = order.indexOf(word)
  return place === -1 ? order.indexOf('') : place
}

export const countOf = (counts: readonly CaseCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

/** For example `4 other cases: 2 refunded, 1 released, 1 open`. */
export function caseCountWords(counts: readonly CaseCount[]): string {
  const total = countOf(counts)
  if (total === 0) return 'No other case'
  const parts = counts
    .map((counted) => ({ word: wordOf(counted), count: counted.count }))
    .toSorted((one, other) => placeOf(one.word) - placeOf(other.word) || (one.word < other.word ? -1 : 1))
    .map(({ word, count }) => `${count.toLocaleString('en-US')} ${word}`)
  return `${total.toLocaleString('en-US')} other ${total === 1 ? 'case' : 'cases'}: ${parts.join(', ')}`
}
