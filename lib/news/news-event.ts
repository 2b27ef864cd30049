import type { Problem } from '#lib/contract/problem.ts'
import type { StreamEnd } from '#lib/live/stream-end.ts'

export type Told<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

interface FeedOpened {
  readonly type: 'open'
  readonly id: string
  readonly actor: string
}

export interface TopicNews {
  readonly type: 'news'
  readonly topic: string
  readonly told: Told
}

export type NewsEvent = FeedOpened | TopicNews | StreamEnd

export interface NewsAsked {
  /** A name, optionally with a parameter after a space. */
  readonly topics: readonly string[]
  /** Sent even if unchanged. */
  readonly again?: readonly string[]
}
