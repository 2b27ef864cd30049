import type { Problem } from '#lib/contract/problem.ts'

export type TopicResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

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

export type StreamEvent = { readonly type: 'open'; readonly id: string; readonly actor: string } | TopicEvent | EndEvent

export interface TopicsRequest {
  /** A name, optionally with a parameter after a space. */
  readonly topics: readonly string[]
  /** Sent even if unchanged. */
  readonly again?: readonly string[]
}
