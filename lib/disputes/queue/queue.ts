import type { Problem } from '#lib/contract/problem.ts'
import { sameAccount } from '#lib/values/user-id.ts'

/** Which cases a list holds. `ALL` has those in states that the interface does not give as well. */
export const caseLists = ['OPEN', 'RESOLVED', 'ALL'] as const

export type CaseList = (typeof caseLists)[number]

/** A list of more cases is not read to its end. */
export const SWEEP_MAX_CASES = 2_000

/** Why a list is not all there is: it is too long, it moved while it was read, or a page could not be read. */
export type Shortfall = 'too-many' | 'moved' | 'problem'

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
}

/** What there is to say of a list of cases. */
export interface QueueView {
  readonly list: CaseList
  readonly rows: readonly QueueRow[]
  /** When `rows` were read whole (ISO 8601, this console's clock); null when they are not all there is. */
  readonly completeAt: string | null
  /** As the service reports it; null when it did not. */
  readonly total: number | null
  /** Rows that do not fit the service's interface. */
  readonly unreadable: number
  readonly adminView: AdminView
  /** Of the latest reading, which may be younger than `rows`; null when it was whole. */
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
}

/** What is known of a case's transaction. `forbidden`: the person lacks the scope. `unread`: no usable answer came. */
export type TransactionFact =
  | { readonly kind: 'read'; readonly debit: string; readonly state: string }
  | { readonly kind: 'not-visible' }
  | { readonly kind: 'forbidden'; readonly scope: string | null }
  | { readonly kind: 'unread' }

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

/** What was resolved last comes first; what is not resolved comes last. */
const byResolution = (one: QueueRow, other: QueueRow): number =>
  compareText(timeKey(other.resolvedAt ?? '') + other.id, timeKey(one.resolvedAt ?? '') + one.id)

/** The order in which a list is shown when nobody asks for another one. */
export const orderOf = (list: CaseList) => (list === 'RESOLVED' ? byResolution : byAge)

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

/** How old a case is at a moment. One that was opened later than that, by its clock, is of the youngest. */
export function ageOf(createdAt: string, nowMs: number): AgeId {
  const days = (nowMs - Date.parse(createdAt)) / DAY_MS
  return ages.find((age) => days < age.days)?.id ?? 'older'
}

export type ClaimFilter = 'mine' | 'snoozed' | 'unassigned' | 'others'

/** Whether a case is mine, mine and snoozed, unassigned or somebody else's; null where that is hidden. */
export function claimKind({ claim }: Pick<QueueRow, 'claim'>): ClaimFilter | null {
  if (claim === null) return 'unassigned'
  if (claim === 'hidden') return null
  if (!claim.mine) return 'others'
  return claim.snoozed === undefined ? 'mine' : 'snoozed'
}

/** The oldest open case without an assignee in which the person is no party; undefined when there is none. */
export const oldestUnassignedIn = (rows: readonly QueueRow[], userId: string): QueueRow | undefined =>
  rows
    .filter(({ status, claim }) => status === 'OPEN' && claim === null)
    .filter(({ raisedBy, against }) => !(sameAccount(raisedBy, userId) || sameAccount(against, userId)))
    .toSorted(byAge)[0]

export interface QueueNews {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

/** What is other in `now` than in `shown`, by id. */
export function newsOf(shown: readonly QueueRow[], now: readonly QueueRow[]): QueueNews {
  const before = new Map(shown.map((row) => [row.id, row]))
  const after = new Map(now.map((row) => [row.id, row]))
  return {
    added: now.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    changed: shown.filter((row) => differs(row, after.get(row.id))).map(({ id }) => id),
    gone: shown.filter(({ id }) => !after.has(id)).map(({ id }) => id),
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
