import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Schedule } from '#lib/live/schedule.ts'
import type { Session } from '#lib/session/session.ts'
import { followTopic } from './follow-topic.ts'
import type { NewsAsked, Told, TopicNews } from './news-event.ts'
import type { Topics } from './topic.ts'

interface FeedOptions {
  readonly session: Session
  readonly topics: Topics
  readonly schedule: Schedule
  readonly tell: (news: TopicNews) => void
  readonly followedUnder: (name: string) => ReadonlySet<string>
}

const NO_SUCH_TOPIC = problemOf('service', { status: 400, title: 'There is nothing like this.' })
const TOO_MANY = problemOf('console', { status: 429, title: 'Too many tabs of this console are open' })

const nameIn = (text: string): string => text.split(' ', 1)[0] ?? ''

export class Feed {
  readonly id: string = randomUUID()
  readonly session: Session
  readonly #options: FeedOptions
  readonly #followed = new Map<string, () => void>()
  readonly #untold = new Set<string>()
  readonly #tooMany = new Set<string>()
  /** Sending may end the feed. */
  #ended = false
  #whenTold: () => void = () => {}

  constructor(options: FeedOptions) {
    this.session = options.session
    this.#options = options
  }

  /** Sends new topics, and those in `again`, in full. */
  ask({ topics, again = [] }: NewsAsked): void {
    const wanted = new Set(topics)
    for (const topic of [...this.#followed.keys()]) {
      if (!wanted.has(topic) || again.includes(topic) || this.#tooMany.has(topic)) this.#drop(topic)
    }
    for (const topic of wanted) {
      if (this.#ended) return
      if (!this.#followed.has(topic)) this.#follow(topic)
    }
  }

  followedUnder(name: string): readonly string[] {
    return [...this.#followed.keys()].filter((text) => !this.#tooMany.has(text) && nameIn(text) === name)
  }

  told(withinMs: number): Promise<void> {
    if (this.#ended || this.#untold.size === 0) return Promise.resolve()
    return new Promise((done) => {
      const cancel = this.#options.schedule(withinMs, done)
      this.#whenTold = () => {
        cancel()
        done()
      }
    })
  }

  stop(): void {
    this.#ended = true
    for (const topic of [...this.#followed.keys()]) this.#drop(topic)
    this.#whenTold()
  }

  #follow(text: string): void {
    const { session, topics, schedule, followedUnder } = this.#options
    const name = nameIn(text)
    const param = text.slice(name.length + 1)
    const topic = topics.get(name)
    this.#untold.add(text)
    // From a page of another version.
    if (topic === undefined || !topic.takes(param)) {
      this.#refuse(text, NO_SUCH_TOPIC)
      return
    }
    const followed = followedUnder(name)
    if (followed.size >= topic.mostPerSession && !followed.has(text)) {
      this.#tooMany.add(text)
      this.#refuse(text, TOO_MANY)
      return
    }
    let over = false
    const tell = (told: Told) => {
      if (!over) this.#tell(text, told)
    }
    const stop = followTopic({ session, topic, param, schedule, tell })
    this.#followed.set(text, () => {
      over = true
      stop()
    })
  }

  #refuse(text: string, problem: Problem): void {
    this.#followed.set(text, () => {})
    this.#tell(text, { ok: false, problem })
  }

  #tell(topic: string, told: Told): void {
    this.#options.tell({ type: 'news', topic, told })
    this.#untold.delete(topic)
    if (this.#untold.size === 0) this.#whenTold()
  }

  #drop(topic: string): void {
    this.#followed.get(topic)?.()
    this.#followed.delete(topic)
    this.#tooMany.delete(topic)
    this.#untold.delete(topic)
  }
}
