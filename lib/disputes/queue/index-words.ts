import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { IndexState, OpenCount } from './queue.ts'

/** After this time a count is no longer shown if the list cannot be read. */
const COUNT_FOR_MS = 300_000

export function indexWords({ completeAt, reading, shortfall, problem }: IndexState): string {
  if (shortfall === 'moved') return 'The list moved while it was read, twice.'
  if (shortfall === 'problem') return unreadWords(problem)
  if (completeAt !== null) return ''
  return reading === null
    ? 'Not all pages of the list have been read.'
    : `The list is being read: ${reading.pages.toLocaleString('en-US')} of ${reading.of.toLocaleString('en-US')} pages so far.`
}

export const unreadWords = (problem: Problem | null): string =>
  `The list could not be read to its end: ${problem === null ? 'the reading was interrupted' : problemWords(problem).title}.`

export function openCountOf(index: IndexState, open: number): OpenCount {
  const { completeAt, shortfall } = index
  const isOld = shortfall !== null && completeAt !== null && Date.now() - Date.parse(completeAt) > COUNT_FOR_MS
  return completeAt === null || isOld ? { notKnown: indexWords(index) } : open
}
