import type { ThreadState } from './thread-state.ts'

/** A person's open cases are followed up to so many, those assigned last first. */
export const FOLLOWED_MAX = 50

/** An open case whose assignee asks. */
export interface OwnCase {
  readonly id: string
  /** Its beginning; null until the case was read. */
  readonly reason: string | null
  /** Null while the thread could not be read. */
  readonly thread: ThreadState | null
}

export interface OwnCases {
  /** In the order in which they are to be worked on. */
  readonly cases: readonly OwnCase[]
  /** How many more are assigned to the person and are not followed. */
  readonly more: number
  /** How many are theirs and snoozed: nothing is told of them. */
  readonly snoozed: number
}

/** How many messages are unread in all of them. */
export const unreadIn = (own: OwnCases | null): number =>
  own?.cases.reduce((sum, { thread }) => sum + (thread?.unread ?? 0), 0) ?? 0

/** What waits for us comes first, what was written to first before that; what is not known comes before all. */
export const byTurn = (one: OwnCase, other: OwnCase): number => {
  const [first, second] = [rankOf(one), rankOf(other)]
  return first < second ? -1 : Number(first > second)
}

const rankOf = ({ id, thread }: OwnCase): string =>
  thread === null ? `0 ${id}` : `${thread.turn === 'us' ? 1 : 2} ${thread.lastAt ?? ''} ${id}`

/** What a page knows of news in the cases of its person. */
export interface HeardNews {
  /** By case: the newest message that has been told or needs no telling. */
  readonly told: ReadonlyMap<string, string>
  /** By case: one that will be told if it is unread at the next look as well. Nobody has it in view then. */
  readonly waiting: ReadonlyMap<string, string>
}

export interface NewMessage {
  readonly caseId: string
  /** Names the message. */
  readonly key: string
}

/** What there is to tell after one more look. What is unread at the first look, or when a case is assigned, is no news. */
export function hearNews(
  heard: HeardNews | null,
  { cases }: OwnCases,
): { readonly heard: HeardNews; readonly news: readonly NewMessage[] } {
  const told = new Map<string, string>()
  const waiting = new Map<string, string>()
  const news: NewMessage[] = []
  for (const { id, thread } of cases) {
    const before = heard?.told.get(id)
    const newest = thread?.newest ?? ''
    if (thread === null || before === undefined || newest <= before) {
      if (thread !== null || before !== undefined) told.set(id, max(before, newest))
    } else if (heard?.waiting.get(id) === newest) {
      told.set(id, newest)
      news.push({ caseId: id, key: newest })
    } else {
      told.set(id, before)
      waiting.set(id, newest)
    }
  }
  return { heard: { told, waiting }, news }
}

const max = (one = '', other: string): string => (one > other ? one : other)
