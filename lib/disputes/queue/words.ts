import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import { ageText } from '#lib/values/time.ts'
import { counted, formatCount, ownProperty } from '#lib/values/words.ts'
import { type IndexState, isNarrowed, type OpenCount, type QueueView, type UrgentCase } from './queue.ts'

export interface CaseCount {
  readonly status: string
  readonly outcome: string | null
  readonly count: number
}

const words: Readonly<Record<string, string>> = { REFUNDED: 'refunded', RELEASED: 'released', OPEN: 'open' }
const order = ['refunded', 'released', '', 'open']

const wordOf = ({ status, outcome }: CaseCount): string => {
  const raw = outcome ?? status
  return ownProperty(words, raw) ?? (raw === 'RESOLVED' ? 'resolved, outcome not given' : visibleText(raw))
}

const placeOf = (word: string): number => {
  const place = order.indexOf(word)
  return place === -1 ? order.indexOf('') : place
}

export const countOf = (counts: readonly CaseCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

/** For example `4 other cases: 2 refunded, 1 released, 1 open`. */
export function caseCountWords(counts: readonly CaseCount[]): string {
  const total = countOf(counts)
  if (total === 0) return 'No other cases'
  const parts = counts
    .map((counted) => ({ word: wordOf(counted), count: counted.count }))
    .toSorted((one, other) => placeOf(one.word) - placeOf(other.word) || (one.word < other.word ? -1 : 1))
    .map(({ word, count }) => `${formatCount(count)} ${word}`)
  return `${counted(total, 'other case')}: ${parts.join(', ')}`
}

/** Older counts are not shown if the list cannot be read. */
const COUNT_FOR_MS = 300_000

export function indexWords({ completeAt, reading, shortfall, problem }: IndexState): string {
  if (shortfall === 'moved') return 'The list changed twice while it was read.'
  if (shortfall === 'problem') return incompleteWords(problem)
  if (completeAt !== null) return ''
  return reading === null
    ? 'Part of the list has not been read.'
    : `Reading the list: ${formatCount(reading.pages)} of ${formatCount(reading.of)} pages.`
}

const OLD_AFTER_MS = 600_000

/** Empty: complete within ten minutes, even if a later read failed. */
export const ageWords = (index: IndexState, nowMs = Date.now()): string =>
  nowMs - Date.parse(index.completeAt ?? '') <= OLD_AFTER_MS ? '' : indexWords({ ...index, completeAt: null })

export const oldWords = (index: IndexState, nowMs = Date.now()): string => indexWords(index) || ageWords(index, nowMs)

export const incompleteWords = (problem: Problem | null): string =>
  `The list could not be read fully: ${problem === null ? 'the read was interrupted' : problemWords(problem).title}.`

export function openCountOf(index: IndexState, open: number): OpenCount {
  const { completeAt, shortfall } = index
  const isOld = shortfall !== null && completeAt !== null && Date.now() - Date.parse(completeAt) > COUNT_FOR_MS
  return completeAt === null || isOld ? { notKnown: indexWords(index) } : open
}

interface Ranked {
  readonly nowMs: number
  readonly narrowed: boolean
}

/** `dueAt`: ISO 8601. */
export type RankedCase = Omit<UrgentCase, 'id' | 'createdAt'> & { readonly dueAt: string }

/** For example `over target by 5 h, and a party wrote last`. */
export function chosenWords({ dueAt, over, turn, unread, silent }: RankedCase, ranked: Ranked): string {
  const by = ageText(dueAt, ranked.nowMs)
  const late = by === 'now' ? 'over target' : `over target by ${by}`
  const last = silent ? 'no one has written' : 'a party wrote last'
  if (over) return turn === 'us' ? `${late}, and ${last}` : late
  if (turn === 'us') return unread ? `${last}, unread by you` : last
  return `oldest unassigned case${ranked.narrowed ? ' in the filter' : ''}`
}

/** No case is certain only if the person sees all cases and every one of them was readable. */
export function noneWords({ filter, adminView, unreadable, index, counts }: QueueView): string {
  const old = oldWords(index)
  if (old !== '') return `The next case is not known yet. ${old}`
  const none = `No unassigned case ${isNarrowed(filter) ? 'matches the filter' : 'can be assigned to you'}.`
  if (adminView !== 'proved') return `${none} Admin view is not confirmed: there may be others.`
  if (unreadable > 0) return `${none} Part of the list cannot be read.`
  const areUnread = (filter.turn === 'us' || filter.turn === 'party' || filter.unread) && counts.turns?.unknown !== 0
  return areUnread ? `${none} Not all messages have been read here.` : none
}
