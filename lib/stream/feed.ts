import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import type { Schedule } from './schedule.ts'
import type { TopicEvent, TopicResult, TopicsRequest } from './stream-event.ts'
import { subscribe, type Topics } from './topic.ts'

interface FeedOptions {
  readonly session: Session
  readonly topics: Topics
  readonly schedule: Schedule
  readonly send: (event: TopicEvent) => void
  /** Topics of this name that all feeds of the session subscribe to. */
  readonly topicsOfSession: (name: string) => ReadonlySet<string>
}

const NO_SUCH_TOPIC = problemOf('service', { status: 400, title: 'There is no such topic.' })
const TOO_MANY = problemOf('console', { status: 429, title: 'Too many tabs of this console are open' })

const nameOf = (topic: string): string => topic.split(' ', 1)[0] ?? ''

/** The subscriptions of one browser. */
export class Feed {
  readonly id: string = randomUUID()
  readonly session: Session
  readonly #options: FeedOptions
  /** How to end each subscription, by topic. */
  readonly #subscriptions = new Map<string, () => void>()
  /** Topics without a first event. */
  readonly #pending = new Set<string>()
  readonly #beyondLimit = new Set<string>()
  /** Sending may end the feed. */
  #ended = false
  #onComplete: () => void = () => {}

  constructor(options: FeedOptions) {
    this.session = options.session
    this.#options = options
  }

  /** Sends new topics, and those in `again`, in full. */
  setTopics({ topics, again = [] }: TopicsRequest): void {
    const requested = new Set(topics)
    for (const topic of [...this.#subscriptions.keys()]) {
      if (!requested.has(topic) || again.includes(topic) || this.#beyondLimit.has(topic)) this.#unsubscribe(topic)
    }
    for (const topic of requested) {
      if (this.#ended) return
      if (!this.#subscriptions.has(topic)) this.#subscribe(topic)
    }
  }

  topicsNamed(name: string): readonly string[] {
    return [...this.#subscriptions.keys()].filter((topic) => !this.#beyondLimit.has(topic) && nameOf(topic) === name)
  }

  /** Resolves when every topic has sent an event. */
  complete(withinMs: number): Promise<void> {
    if (this.#ended || this.#pending.size === 0) return Promise.resolve()
    return new Promise((done) => {
      const cancel = this.#options.schedule(withinMs, done)
      this.#onComplete = () => {
        cancel()
        done()
      }
    })
  }

  stop(): void {
    this.#ended = true
    for (const topic of [...this.#subscriptions.keys()]) this.#unsubscribe(topic)
    this.#onComplete()
  }

  #subscribe(text: string): void {
    const { session, topics, schedule, topicsOfSession } = this.#options
    const name = nameOf(text)
    const param = text.slice(name.length + 1)
    const topic = topics.get(name)
    this.#pending.add(text)
    // From a page of another version.
    if (topic === undefined || !topic.accepts(param)) {
      this.#refuse(text, NO_SUCH_TOPIC)
      return
    }
    const current = topicsOfSession(name)
    if (current.size >= topic.maxPerSession && !current.has(text)) {
      this.#beyondLimit.add(text)
      this.#refuse(text, TOO_MANY)
      return
    }
    let over = false
    const send = (result: TopicResult) => {
      if (!over) this.#send(text, result)
    }
    const stop = subscribe({ session, topic, param, schedule, send })
    this.#subscriptions.set(text, () => {
      over = true
      stop()
    })
  }

  #refuse(topic: string, problem: Problem): void {
    this.#subscriptions.set(topic, () => {})
    this.#send(topic, { ok: false, problem })
  }

  #send(topic: string, result: TopicResult): void {
    this.#options.send({ type: 'topic', topic, result })
    this.#pending.delete(topic)
    if (this.#pending.size === 0) this.#onComplete()
  }

  #unsubscribe(topic: string): void {
    this.#subscriptions.get(topic)?.()
    this.#subscriptions.delete(topic)
    this.#beyondLimit.delete(topic)
    this.#pending.delete(topic)
  }
}
