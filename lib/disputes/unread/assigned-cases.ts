import type { ThreadState } from './thread-state.ts'

export const FOLLOWED_MAX = 50

export interface AssignedCase {
  readonly id: string
  readonly reason: string | null
  readonly thread: ThreadState | null
}

export interface AssignedCases {
  readonly cases: readonly AssignedCase[]
  readonly more: number
  readonly snoozed: number
}

export const unreadIn = (own: AssignedCases | null): number =>
  own?.cases.reduce((sum, { thread }) => sum + (thread?.unread ?? 0), 0) ?? 0

/** Unknown cases first, then those that wait for staff, longest wait first. */
export const byTurn = (one: AssignedCase, other: AssignedCase): number => {
  const [first, second] = [rankOf(one), rankOf(other)]
  return first < second ? -1 : Number(first > second)
}

const rankOf = ({ id, thread }: AssignedCase): string =>
  thread === null ? `0 ${id}` : `${thread.turn === 'us' ? 1 : 2} ${thread.lastAt ?? ''} ${id}`

export interface HeardNews {
  /** By case: the newest message that was announced or needs no announcement. */
  readonly announced: ReadonlyMap<string, string>
  /** By case: a message that is announced if still unread at the next look. */
  readonly waiting: ReadonlyMap<string, string>
}

export interface NewMessage {
  readonly caseId: string
  readonly key: string
}

/** Messages that were unread at the first look or at assignment are not news. */
export function hearNews(
  heard: HeardNews | null,
  { cases }: AssignedCases,
): { readonly heard: HeardNews; readonly news: readonly NewMessage[] } {
  const announced = new Map<string, string>()
  const waiting = new Map<string, string>()
  const news: NewMessage[] = []
  for (const { id, thread } of cases) {
    const before = heard?.announced.get(id)
    const newest = thread?.newest ?? ''
    if (thread === null || before === undefined || newest <= before) {
      if (thread !== null || before !== undefined) announced.set(id, max(before, newest))
    } else if (heard?.waiting.get(id) === newest) {
      announced.set(id, newest)
      news.push({ caseId: id, key: newest })
    } else {
      announced.set(id, before)
      waiting.set(id, newest)
    }
  }
  return { heard: { announced: announced, waiting }, news }
}

const max = (one = '', other: string): string => (one > other ? one : other)
