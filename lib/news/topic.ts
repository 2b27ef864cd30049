import 'server-only'
import type { Session } from '#lib/session/session.ts'
import type { Told } from './news-event.ts'

export interface Reading {
  /** Undefined: send nothing yet. */
  readonly told: Told | undefined
  /** For comparison; the JSON by default. */
  readonly mark?: string
  readonly keys?: readonly string[]
  /** When the value may change without an event. */
  readonly againMs?: number | null
}

/** Sent when it changes. */
export interface ValueTopic {
  readonly kind: 'value'
  keys(session: Session, param: string): readonly string[]
  read(session: Session, param: string): Promise<Reading>
  readonly pauseMs: number
  /** Concurrent reads in this process. */
  readonly readingsAtOnce: number
  /** For changes outside the store. */
  listen?(session: Session, wake: () => void): () => void
}

/** Sent as it arrives, after the present content. */
export interface StreamTopic {
  readonly kind: 'stream'
  open(session: Session, param: string, tell: (told: Told) => void): () => void
}

export interface Topic {
  takes(param: string): boolean
  refused(session: Session): Promise<Told | null>
  readonly source: ValueTopic | StreamTopic
  readonly mostPerSession: number
}

/** Registered at process start: topics belong to the features. */
export type Topics = ReadonlyMap<string, Topic>
