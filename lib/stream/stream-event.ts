import type { Problem } from '#lib/contract/problem.ts'

/** A topic's value, or why it cannot be read. */
export type TopicResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

interface OpenedEvent {
  readonly type: 'open'
  readonly id: string
  readonly actor: string
}

export interface TopicEvent {
  readonly type: 'topic'
  readonly topic: string
  readonly result: TopicResult
}

export type EndEvent =
  /** Events were lost or this process is stopping: reconnect. */
  | { readonly type: 'resync' }
  /** Do not reconnect. */
  | { readonly type: 'closed'; readonly why: 'session-over' }

export type StreamEvent = OpenedEvent | TopicEvent | EndEvent

/** All topics that the tabs of a browser subscribe to. */
export interface TopicsRequest {
  /** A name, optionally with a parameter after a space. */
  readonly topics: readonly string[]
  /** Sent even if unchanged. */
  readonly again?: readonly string[]
}
