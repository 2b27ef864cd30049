import type { Problem } from '#lib/contract/problem.ts'
import type { CategoryChoice } from '#lib/disputes/categories/category.ts'
import { timeKey } from '#lib/disputes/thread/thread.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { isUuid } from '#lib/values/ids.ts'

/** `ALL` includes unknown states. */
export const caseLists = ['OPEN', 'RESOLVED', 'ALL'] as const

export type CaseList = (typeof caseLists)[number]

/** `moved`: the list changed during the sweep. */
export type Shortfall = 'moved' | 'problem'

export type AdminView = 'proved' | 'not-proved'

export interface QueueClaim {
  readonly name: string
  readonly mine: boolean
  /** As in `Snooze`. Absent if not snoozed. */
  readonly snoozed?: { readonly until: string | null }
}

export interface QueueRow {
  readonly id: string
  readonly reference: string
  readonly status: string
  readonly createdAt: string
  readonly resolvedAt: string | null
  /** Cut to its beginning. */
  readonly reason: string
  readonly raisedBy: string
  readonly against: string
  readonly outcome: string | null
  /** Of the team's own; null also for a case that was resolved elsewhere. */
  readonly category: string | null
  /** ISO 8601: when a party's answer is due; null if none is awaited. */
  readonly answerBy: string | null
  /** Null: unassigned. `hidden`: a party may not see who works on the case. */
  readonly claim: QueueClaim | 'hidden' | null
  /** Null if unknown or not for this person. */
  readonly thread: ThreadState | null
  /** Why the case is brought to this person's notice. */
  readonly notices: readonly Notice[]
}

export type QueueSort = 'age' | 'resolved' | 'status' | 'outcome' | 'last' | 'amount'

export interface QueueFilter {
  readonly list: CaseList
  /** Null: the list's default. Ascending by age: youngest first. */
  readonly sort: { readonly column: QueueSort; readonly descending: boolean } | null
  readonly age: AgeId | null
  readonly claim: ClaimFilter | null
  /** An actor. */
  readonly assignee: string | null
  /** An id. */
  readonly category: string | null
  readonly turn: TurnFilter | null
  readonly unread: boolean
  readonly notice: Notice | null
  readonly party: string | null
  /** Part of the beginning of the reason, in any case. */
  readonly text: string | null
  /** Decimal text in BZD, inclusive. */
  readonly amountFrom: string | null
  readonly amountTo: string | null
}

export const everyOpenCase: QueueFilter = {
  ...{ list: 'OPEN', sort: null },
  ...{ age: null, claim: null, assignee: null, category: null, turn: null, unread: false, notice: null },
  ...{ party: null, text: null, amountFrom: null, amountTo: null },
}

export const usesThreads = ({ turn, unread, sort }: QueueFilter): boolean =>
  turn !== null || unread || sort?.column === 'last'

export const usesAmounts = ({ amountFrom, amountTo, sort }: QueueFilter): boolean =>
  amountFrom !== null || amountTo !== null || sort?.column === 'amount'

/** Apart from list and assignee. */
export const isNarrowed = (filter: QueueFilter): boolean => {
  const { age, category, turn, notice, party, text, amountFrom, amountTo } = filter
  return filter.unread || [age, category, turn, notice, party, text, amountFrom, amountTo].some((one) => one !== null)
}

export interface UrgentCase {
  readonly id: string
  readonly createdAt: string
  readonly over: boolean
  readonly turn: TurnFilter | null
  readonly unread: boolean
  /** Nobody has written, as far as this console knows. */
  readonly silent: boolean
}

export type QueuePlaces =
  | { readonly page: number; readonly size: number }
  | { readonly around: string }
  /** The case itself need not match; the first rows if none follow. */
  | { readonly after: string }

const FIRST_PAGE = { page: 1, size: 50 }

export const placesAround = (caseId: string): QueuePlaces => (isUuid(caseId) ? { around: caseId } : FIRST_PAGE)

/** Times are ISO 8601, by the console's clock. */
export interface IndexState {
  readonly completeAt: string | null
  readonly oldestReadAt: string | null
  readonly newestReadAt: string | null
  readonly reading: { readonly pages: number; readonly of: number } | null
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
}

/** Null if hidden from the person. The pane beside a case has `claims` only. */
export interface QueueCounts {
  readonly claims: Readonly<Record<ClaimFilter, number>> | null
  readonly turns: Readonly<Record<TurnFilter, number>> | null
  readonly unread: number | null
  readonly notices: Readonly<Record<Notice, number>> | null
  readonly assignees: readonly AssigneeCount[] | null
  /** Null also for open cases, which have none. */
  readonly categories: readonly CategoryCount[] | null
  readonly ages: Readonly<Record<AgeId, number>> | null
}

export interface AssigneeCount {
  readonly actor: string
  readonly name: string
  readonly count: number
  /** As in `Colleague`. */
  readonly awayUntil: string | null
}

export interface CategoryCount extends CategoryChoice {
  readonly retired: boolean
  readonly count: number
}

export interface QueueSince {
  readonly arrived: number
  readonly arrivedHere: readonly string[]
  readonly elsewhere: readonly QueueRow[]
}

export interface QueueView {
  readonly filter: QueueFilter
  readonly places: QueuePlaces
  /** With the same admin view, the higher number is newer. */
  readonly version: number
  readonly rows: readonly QueueRow[]
  readonly firstPlace: number
  /** All pages, including unreadable rows. */
  readonly total: number
  /** Rows that do not fit the contract; they are shown last. */
  readonly unreadableHere: number
  /** On all pages; no filter hides them. */
  readonly unreadable: number
  readonly listed: number
  readonly counts: QueueCounts
  readonly open: OpenCount
  readonly adminView: AdminView
  readonly index: IndexState
  /** Later cases have higher numbers. */
  readonly arrival: number
  readonly since: QueueSince | null
  /** Cases whose amount a filter or order needs and nobody has read; `hidden`: this person may not read amounts. */
  readonly amountsUnread: number | 'hidden'
}

export interface FollowedQueue {
  readonly filter: QueueFilter
  readonly places: QueuePlaces
  readonly shown: ShownRows
}

export interface QueueUpdate {
  readonly queue: QueueView
  readonly facts: TransactionFacts
}

export interface ShownRows {
  readonly ids: readonly string[]
  /** {@link QueueView.arrival} of the shown rows. */
  readonly arrival: number
}

/** Views with different admin view cannot be compared. */
export const isOlder = (one: QueueView, other: QueueView): boolean =>
  one.adminView === other.adminView && one.version < other.version

export type OpenCount = number | { readonly notKnown: string } | null

export const byAge = (one: QueueRow, other: QueueRow): number =>
  compareText(timeKey(one.createdAt) + one.id, timeKey(other.createdAt) + other.id)

const compareText = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const DAY_MS = 86_400_000

/** `id` is the query value; `days` the upper bound. */
export const ages = [
  { id: 'day', words: '< 1 d', days: 1 },
  { id: 'three', words: '1–3 d', days: 3 },
  { id: 'week', words: '3–7 d', days: 7 },
  { id: 'older', words: '> 7 d', days: Number.POSITIVE_INFINITY },
] as const

export type AgeId = (typeof ages)[number]['id']

/** `after` is exclusive, `upTo` inclusive; null for no bound. */
export function ageKeys(id: AgeId, nowMs: number): { readonly after: string | null; readonly upTo: string | null } {
  const at = ages.findIndex((age) => age.id === id)
  const keyOf = (days = 0) =>
    Number.isFinite(days) && days > 0 ? timeKey(new Date(nowMs - days * DAY_MS).toISOString()) : null
  return { after: keyOf(ages[at]?.days), upTo: keyOf(ages[at - 1]?.days) }
}

/** A case from the future counts as the youngest. */
export const ageOf = (createdAt: string, nowMs: number): AgeId =>
  ages.find(({ id }) => timeKey(createdAt) > (ageKeys(id, nowMs).after ?? ''))?.id ?? 'older'

export const claimFilters = ['mine', 'snoozed', 'unassigned', 'others'] as const

export type ClaimFilter = (typeof claimFilters)[number]

export const isActor = (text: string): boolean => /^sso:[\w-]{1,64}$/.test(text)

/** `unknown`: the case’s messages were not read here. */
export const turnFilters = ['us', 'party', 'unknown'] as const

export type TurnFilter = (typeof turnFilters)[number]

/** `mentioned`: in a note that the person has not seen. */
export const notices = ['mentioned', 'watching'] as const

export type Notice = (typeof notices)[number]

export interface QueueChanges {
  readonly added: number
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly moved: boolean
}

export const noQueueChanges: QueueChanges = { added: 0, changed: [], gone: [], moved: false }

export function queueChangesOf(
  shown: readonly QueueRow[],
  { rows, since }: Pick<QueueView, 'rows' | 'since'>,
): QueueChanges {
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

/** `forbidden`: lacks the scope. `unread`: no usable answer. `readAt`: ms, the console's clock. */
export type TransactionFact =
  | { readonly kind: 'read'; readonly debit: string; readonly state: string; readonly readAt: number }
  | { readonly kind: 'not-visible'; readonly readAt: number }
  | { readonly kind: 'forbidden'; readonly scope: string | null; readonly readAt: number }
  | { readonly kind: 'unread'; readonly cause?: 'service' | 'late' }

export type TransactionFacts = Readonly<Record<string, TransactionFact>>

/** Promises are streamed in the same response. */
export type ComingFacts = Readonly<Record<string, TransactionFact | Promise<TransactionFact>>>

/** A failed read never replaces a known fact. */
export function laterFact(
  one: TransactionFact | undefined,
  other: TransactionFact | undefined,
): TransactionFact | undefined {
  if (other === undefined || other.kind === 'unread') return one ?? other
  if (one === undefined || one.kind === 'unread') return other
  return one.readAt > other.readAt ? one : other
}
