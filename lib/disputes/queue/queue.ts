import type { Problem } from '#lib/contract/problem.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import type { TransactionFacts } from './fact.ts'

/** Which cases a list holds. `ALL` has those in states that the interface does not give as well. */
export const caseLists = ['OPEN', 'RESOLVED', 'ALL'] as const

export type CaseList = (typeof caseLists)[number]

/** Why a sweep is not complete: the list moved while it was read, or a page could not be read. */
export type Shortfall = 'moved' | 'problem'

/** Whether it is proved that the person sees everybody's cases. */
export type AdminView = 'proved' | 'not-proved'

/** Who has a case. */
export interface QueueClaim {
  /** As people read it. */
  readonly name: string
  /** It is the person who asks. */
  readonly mine: boolean
  /** Left out where it is not snoozed: until when (ISO 8601), null until an answer. */
  readonly snoozed?: { readonly until: string | null }
}

/** A case as a line of the queue; every value as the service gave it. */
export interface QueueRow {
  readonly id: string
  readonly reference: string
  readonly status: string
  readonly createdAt: string
  readonly resolvedAt: string | null
  /** Its beginning. */
  readonly reason: string
  readonly raisedBy: string
  readonly against: string
  readonly outcome: string | null
  /** Null while it is unassigned. `hidden`: a case's parties do not see who works on it. */
  readonly claim: QueueClaim | 'hidden' | null
  /** Whose turn it is, and what is unread; null while that is not known, and for whom it is not. */
  readonly thread: ThreadState | null
}

/** By what a list can be put in order. */
export type QueueSort = 'age' | 'resolved' | 'status' | 'outcome'

/** Which cases are wanted, and in which order; null where anything will do. */
export interface QueueAsked {
  readonly list: CaseList
  /** Null for the usual order of the list. Ascending by age: the youngest first. */
  readonly sort: { readonly column: QueueSort; readonly descending: boolean } | null
  readonly age: AgeId | null
  readonly claim: ClaimFilter | null
  /** A user id: cases that they raised, and cases against them. */
  readonly party: string | null
  /** Stands in the beginning of the reason, in capitals or small letters. */
  readonly text: string | null
}

/** The open cases, the oldest first. */
export const everyOpenCase: QueueAsked = {
  ...{ list: 'OPEN', sort: null },
  ...{ age: null, claim: null, party: null, text: null },
}

/** Which of the cases that are wanted: a page of a table, from 1, or those around a case. */
export type QueuePlaces =
  | { readonly page: number; readonly size: number }
  | { readonly around: string }
  /** The first few that come after a case, which need not be wanted itself; from the first where none does. */
  | { readonly after: string }

/** How much of all cases the index holds, and how old that is. All times ISO 8601, by this console's clock. */
export interface IndexState {
  /** When the latest complete sweep ended; null when there was none. */
  readonly completeAt: string | null
  /** When the page was read that is the oldest, and the youngest. */
  readonly oldestReadAt: string | null
  readonly newestReadAt: string | null
  /** How far the sweep is that is under way; null while none is. */
  readonly reading: { readonly pages: number; readonly of: number } | null
  /** Of the latest sweep that ended; null when it was complete. */
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
}

/** How many cases there would be with another choice of one filter, the others being as they are. */
export interface QueueCounts {
  /** Null where the assignees are not shown to this person. */
  readonly claims: Readonly<Record<ClaimFilter, number>> | null
  readonly ages: Readonly<Record<AgeId, number>>
}

/** What moved since rows were shown. */
export interface QueueSince {
  /** Cases among those wanted that are new, on all pages. */
  readonly arrived: number
  /** Those of them that stand on this page. */
  readonly arrivedHere: readonly string[]
  /** Rows that were shown, are still among those wanted, and stand on another page by now. */
  readonly elsewhere: readonly QueueRow[]
}

/** What there is to say of the cases that are wanted: one page of them. */
export interface QueueView {
  readonly asked: QueueAsked
  readonly places: QueuePlaces
  /** How new it is: of two with the same admin view, the one with the higher number was read later. */
  readonly version: number
  /** In their order. */
  readonly rows: readonly QueueRow[]
  /** Where the first row stands among all that are wanted, from 1. */
  readonly firstPlace: number
  /** Of all pages; those that cannot be read are among them. */
  readonly total: number
  /** Rows on this page that do not fit the service's interface; they are the last ones. */
  readonly unreadableHere: number
  /** Such rows in all. What they hold is not known, so no filter hides them. */
  readonly unreadable: number
  /** Cases of the list, without any filter. */
  readonly listed: number
  readonly counts: QueueCounts
  readonly open: OpenCount
  readonly adminView: AdminView
  readonly index: IndexState
  /** The number of the youngest case: what arrives later has a higher one. */
  readonly arrival: number
  /** Where rows were shown before; else null. */
  readonly since: QueueSince | null
}

/** What a page of the queue follows: cases that are wanted, and what it shows of them already. */
export interface FollowedQueue {
  readonly asked: QueueAsked
  readonly places: QueuePlaces
  readonly shown: ShownRows
}

/** What is told of it. */
export interface ToldQueue {
  readonly queue: QueueView
  /** Of its rows, as far as they are known. */
  readonly facts: TransactionFacts
}

/** What a page shows already. */
export interface ShownRows {
  readonly ids: readonly string[]
  /** {@link QueueView.arrival} of what it shows. */
  readonly arrival: number
}

/** Whether a view was read before another one. What is seen with other rights is neither older nor newer. */
export const isOlder = (one: QueueView, other: QueueView): boolean =>
  one.adminView === other.adminView && one.version < other.version

/** How many cases are open, or why no whole list tells; null where a whole one may not be everybody's. */
export type OpenCount = number | { readonly notKnown: string } | null

const FRACTION_DIGITS = 7

/**
 * For putting times in order: a service that leaves out zeros at the end of a fraction gets them back, or its text would
 * sort wrongly; a `Date` would lose four of the seven digits.
 */
export function timeKey(time: string): string {
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(FRACTION_DIGITS, '0')}`
}

/** By when it was opened, the oldest first; the id decides between equals, so that the order is always the same. */
export const byAge = (one: QueueRow, other: QueueRow): number =>
  compareText(timeKey(one.createdAt) + one.id, timeKey(other.createdAt) + other.id)

const compareText = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const DAY_MS = 86_400_000

/** Ages of cases, from the youngest: a word for the address, words for people, and below how many days. */
export const ages = [
  { id: 'day', words: '< 1 d', days: 1 },
  { id: 'three', words: '1–3 d', days: 3 },
  { id: 'week', words: '3–7 d', days: 7 },
  { id: 'older', words: '> 7 d', days: Number.POSITIVE_INFINITY },
] as const

export type AgeId = (typeof ages)[number]['id']

/** The sort keys between which cases of an age were opened: after the one, and up to the other; null for no bound. */
export function ageKeys(id: AgeId, nowMs: number): { readonly after: string | null; readonly upTo: string | null } {
  const at = ages.findIndex((age) => age.id === id)
  const keyOf = (days = 0) =>
    Number.isFinite(days) && days > 0 ? timeKey(new Date(nowMs - days * DAY_MS).toISOString()) : null
  return { after: keyOf(ages[at]?.days), upTo: keyOf(ages[at - 1]?.days) }
}

/** How old a case is at a moment. One that was opened later than that, by its clock, is of the youngest. */
export const ageOf = (createdAt: string, nowMs: number): AgeId =>
  ages.find(({ id }) => timeKey(createdAt) > (ageKeys(id, nowMs).after ?? ''))?.id ?? 'older'

/** Whose cases: one's own, one's own that are snoozed, nobody's, or others'. */
export const claimFilters = ['mine', 'snoozed', 'unassigned', 'others'] as const

export type ClaimFilter = (typeof claimFilters)[number]

export interface QueueNews {
  /** On all pages. */
  readonly added: number
  /** Of the rows that are shown. */
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  /** Rows stand in other places, or on other pages. */
  readonly moved: boolean
}

export const noNews: QueueNews = { added: 0, changed: [], gone: [], moved: false }

/** What is other in `now` than in the rows that are shown. */
export function newsOf(shown: readonly QueueRow[], { rows, since }: Pick<QueueView, 'rows' | 'since'>): QueueNews {
  const now = new Map([...rows, ...(since?.elsewhere ?? [])].map((row) => [row.id, row]))
  return {
    added: since?.arrived ?? 0,
    changed: shown.filter((row) => differs(row, now.get(row.id))).map(({ id }) => id),
    gone: shown.filter(({ id }) => !now.has(id)).map(({ id }) => id),
    moved: shown.map(({ id }) => id).join() !== rows.map(({ id }) => id).join(),
  }
}

const differs = (row: QueueRow, now: QueueRow | undefined): boolean =>
  now !== undefined &&
  (row.status !== now.status ||
    row.outcome !== now.outcome ||
    row.reason !== now.reason ||
    claimText(row) !== claimText(now))

const claimText = ({ claim }: QueueRow): string =>
  claim === null || claim === 'hidden' ? String(claim) : `${claim.mine} ${claim.name} ${claim.snoozed?.until}`
