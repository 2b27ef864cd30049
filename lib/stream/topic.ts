import 'server-only'
import pLimit, { type LimitFunction } from 'p-limit'
import { consoleProblem } from '#lib/commands/send.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { changeFeed } from './change-feed.ts'
import type { Schedule } from './schedule.ts'
import type { TopicResult } from './stream-event.ts'

export interface Reading {
  /** Undefined: send nothing yet. */
  readonly result: TopicResult | undefined
  /** For comparison; the JSON of the result by default. */
  readonly fingerprint?: string
  readonly keys?: readonly string[]
  /** When the value may change without an event. */
  readonly againMs?: number | null
}

/** Sends the value when it changes. */
export interface ValueSource {
  readonly kind: 'value'
  keys(session: Session, param: string): readonly string[]
  read(session: Session, param: string): Promise<Reading>
  readonly pauseMs: number
  /** Concurrent reads in this process. */
  readonly maxReads: number
  /** For changes outside the store. */
  listen?(session: Session, wake: () => void): () => void
}

/** Sends the present content, then events as they arrive. */
export interface StreamSource {
  readonly kind: 'stream'
  open(session: Session, param: string, send: (result: TopicResult) => void): () => void
}

export interface Topic {
  accepts(param: string): boolean
  refusalOf(session: Session): Promise<TopicResult | null>
  readonly source: ValueSource | StreamSource
  readonly maxPerSession: number
}

/** Registered at process start: topics belong to the features. */
export type Topics = ReadonlyMap<string, Topic>

interface Subscription {
  readonly session: Session
  readonly topic: Topic
  readonly param: string
  readonly schedule: Schedule
  readonly send: (result: TopicResult) => void
}

export function subscribe({ session, topic, param, schedule, send }: Subscription): () => void {
  const { source } = topic
  if (source.kind === 'value') return subscribeToValue(session, { topic, source, param, schedule, send })
  let stopped = false
  let stop = () => {}
  const open = async () => {
    const refusal = await topic.refusalOf(session)
    if (stopped) return
    if (refusal !== null) return fail(refusal, retryMs(refusal))
    stop = source.open(session, param, send)
    // The first value may end the feed.
    if (stopped) stop()
  }
  const fail = (result: TopicResult, againMs: number | null) => {
    send(result)
    if (!stopped && againMs !== null) stop = schedule(againMs, start)
  }
  const start = () =>
    void open().catch((error: unknown) => fail({ ok: false, problem: consoleProblem(error) }, AFTER_FAILURE_MS))
  start()
  return () => {
    stopped = true
    stop()
  }
}

const AFTER_FAILURE_MS = 5_000
const RETRY_MAX_SECONDS = 60

interface ValueSubscription extends Omit<Subscription, 'session'> {
  readonly source: ValueSource
}

function subscribeToValue(session: Session, { topic, source, param, schedule, send }: ValueSubscription): () => void {
  let [stopped, reading, changed, readAt] = [false, false, false, 0]
  let latest: string | null = null
  let keys = ''
  let cancel = () => {}
  const wake = () => {
    changed = true
    if (reading) return
    // The clock may be set back.
    plan(Math.min(source.pauseMs, Math.max(0, readAt + source.pauseMs - Date.now())))
  }
  const plan = (ms: number) => {
    cancel()
    if (!stopped) cancel = schedule(ms, () => void read())
  }
  const stops = [changeFeed().listen(source.keys(session, param), wake), source.listen?.(session, wake)]
  let stopFurther = () => {}
  const take = ({ result, fingerprint, keys: further = [], againMs = retryMs(result) }: Reading) => {
    if (further.join(' ') !== keys) {
      keys = further.join(' ')
      stopFurther()
      stopFurther = changeFeed().listen(further, wake)
      // These keys may have changed before this listened to them.
      changed = true
    }
    const current = fingerprint ?? JSON.stringify(result)
    if (result !== undefined && current !== latest) send(result)
    if (result !== undefined) latest = current
    if (changed) plan(source.pauseMs)
    else if (againMs !== null) plan(againMs)
  }
  const read = async () => {
    cancel()
    reading = true
    changed = false
    const found = await limitOf(source)(async (): Promise<Reading> => {
      const refusal = stopped ? null : await topic.refusalOf(session)
      if (stopped || refusal !== null) return { result: refusal ?? undefined }
      return await source.read(session, param)
    }).catch((error: unknown) => ({
      result: { ok: false as const, problem: consoleProblem(error) },
      againMs: AFTER_FAILURE_MS,
    }))
    reading = false
    readAt = Date.now()
    if (!stopped) take(found)
  }
  void read()
  return () => {
    stopped = true
    cancel()
    stopFurther()
    for (const stop of stops) stop?.()
  }
}

function retryMs(result: TopicResult | undefined): number | null {
  const seconds = result?.ok === false ? result.problem.retryAfterSeconds : null
  return seconds === null ? null : Math.min(Math.max(seconds, 1), RETRY_MAX_SECONDS) * 1000
}

/** Slow reads must not delay other topics. */
function limitOf(source: ValueSource): LimitFunction {
  const all = perProcess('limits of sources', () => new WeakMap<ValueSource, LimitFunction>())
  const limit = all.get(source) ?? pLimit(source.maxReads)
  all.set(source, limit)
  return limit
}
