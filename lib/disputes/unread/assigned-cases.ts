import type { ThreadState } from './thread-state.ts'

export const FOLLOWED_MAX = 50

export interface AssignedCase {
  readonly id: string
  readonly reason: string | null
  readonly thread: ThreadState | null
  /** ISO 8601; null if resolved or not known. */
  readonly openSince: string | null
  /** Absent if the case is only assigned to the person. */
  readonly notice?: CaseNotice
}

/** A case that mentions the person in an unseen note, or that they watch. */
export interface CaseNotice {
  readonly assigned: boolean
  readonly mention: { readonly by: string; readonly at: string } | null
  readonly watch: WatchedChanges | null
}

/** Since the person last saw the case. */
export interface WatchedChanges {
  readonly resolved: boolean
  /** The new assignee; empty: unassigned; null: unchanged. */
  readonly assignee: string | null
  readonly notes: number
}

export const hasChanges = ({ resolved, assignee, notes }: WatchedChanges): boolean =>
  resolved || assignee !== null || notes > 0

/** Beyond the followed ones. */
export interface CasesBeyond {
  readonly assigned: number
  readonly watched: number
}

export interface AssignedCases {
  /** Also the watched ones, and those with a mention. */
  readonly cases: readonly AssignedCase[]
  readonly more: CasesBeyond
  readonly snoozed: number
  readonly snoozedCases?: readonly Pick<AssignedCase, 'id' | 'thread'>[]
}

/** Messages of a case that only mentions the person are not theirs to read. */
export const hasOwnMessages = ({ notice }: AssignedCase): boolean =>
  notice === undefined || notice.assigned || notice.watch !== null

export const unreadIn = (own: AssignedCases | null): number =>
  own?.cases.filter(hasOwnMessages).reduce((sum, { thread }) => sum + (thread?.unread ?? 0), 0) ?? 0

/** Unread cases first, then unknown ones, then those that wait for staff, longest wait first. */
export const byTurn = (one: AssignedCase, other: AssignedCase): number => {
  const [first, second] = [rankOf(one), rankOf(other)]
  return first < second ? -1 : Number(first > second)
}

function rankOf({ id, thread }: AssignedCase): string {
  if (thread === null) return `1 ${id}`
  const rank = thread.turn === 'us' ? 2 : 3
  return `${thread.unread > 0 ? 0 : rank} ${thread.lastAt ?? ''} ${id}`
}

export interface Announcements {
  /** By case: the newest message that was announced or needs no announcement. */
  readonly made: ReadonlyMap<string, string>
  /** By case: a message that is announced if still unread at the next check. */
  readonly waiting: ReadonlyMap<string, string>
}

export interface NewMessage {
  readonly caseId: string
  readonly key: string
  /** The case is watched and not assigned to the person. */
  readonly isWatched: boolean
}

/** Messages that were unread at the first check or at assignment are not new. */
export function findNewMessages(
  before: Announcements | null,
  { cases, snoozedCases = [] }: AssignedCases,
): { readonly announcements: Announcements; readonly messages: readonly NewMessage[] } {
  const made = new Map<string, string>()
  const waiting = new Map<string, string>()
  const messages: NewMessage[] = []
  for (const { id, thread } of snoozedCases) {
    const last = before?.made.get(id) ?? (thread === null ? undefined : (thread.newest ?? ''))
    if (last !== undefined) made.set(id, last)
  }
  for (const { id, thread, notice } of cases.filter(hasOwnMessages)) {
    const last = before?.made.get(id)
    const newest = thread?.newest ?? ''
    if (thread === null || last === undefined || newest <= last) {
      if (thread !== null || last !== undefined) made.set(id, max(last, newest))
    } else if (before?.waiting.get(id) === newest) {
      made.set(id, newest)
      messages.push({ caseId: id, key: newest, isWatched: notice?.assigned === false })
    } else {
      made.set(id, last)
      waiting.set(id, newest)
    }
  }
  return { announcements: { made, waiting }, messages }
}

const max = (one = '', other: string): string => (one > other ? one : other)
