import 'server-only'
import type { Session } from '#lib/session/session.ts'
import type { Told } from './news-event.ts'

/** A topic as it was read just now. */
export interface Reading {
  /** Undefined while nothing is known: then nothing is told. */
  readonly told: Told | undefined
  /** What tells this reading from another one; where it is not given, the value itself. */
  readonly mark?: string
  /** Further keys of the news that this reading depends on. */
  readonly keys?: readonly string[]
  /** When time alone may have changed it; null when it does not. */
  readonly againMs?: number | null
}

/** What is read as a whole, and told when it differs from what was told last. */
export interface ValueTopic {
  readonly kind: 'value'
  /** The keys of the news that wake it. */
  keys(session: Session, param: string): readonly string[]
  read(session: Session, param: string): Promise<Reading>
  /** It is read at most so often. */
  readonly pauseMs: number
  /** For all who follow it in this process: so many readings at once, the others wait. */
  readonly readingsAtOnce: number
  /** For what changes in this process beside the store. Answers how to stop. */
  listen?(session: Session, wake: () => void): () => void
}

/** What is handed on as it comes: all that is known first, then what is new. */
export interface StreamTopic {
  readonly kind: 'stream'
  open(session: Session, param: string, tell: (told: Told) => void): () => void
}

export interface Topic {
  /** Whether this is a parameter of it. */
  takes(param: string): boolean
  /** Why the person may not follow it; null where they may. */
  refused(session: Session): Promise<Told | null>
  readonly source: ValueTopic | StreamTopic
  /** One session follows at most so many parameters of it at a time. */
  readonly mostPerSession: number
}

/** The one list of topics is at the top of the features; it is handed over as the process starts. */
export type Topics = ReadonlyMap<string, Topic>
