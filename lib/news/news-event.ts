import type { Problem } from '#lib/contract/problem.ts'
import type { StreamEnd } from '#lib/live/stream-end.ts'

/** What is told of a topic: its value as it is now, or why that cannot be read. */
export type Told<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

/** The first event: which feed this is, and whose. */
interface FeedOpened {
  readonly type: 'open'
  readonly id: string
  readonly actor: string
}

/** News of one topic. */
export interface TopicNews {
  readonly type: 'news'
  readonly topic: string
  readonly told: Told
}

/** What a browser is told, over a stream or in answer to a poll. */
export type NewsEvent = FeedOpened | TopicNews | StreamEnd

/** What a browser asks for. */
export interface NewsAsked {
  /** All that its tabs follow: a name, or a name and a parameter. */
  readonly topics: readonly string[]
  /** Of these, what a tab has just begun to follow: it is told as it is now, whether it has changed or not. */
  readonly again?: readonly string[]
}
