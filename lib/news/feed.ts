import 'server-only'
import { randomUUID } from 'node:crypto'
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
}

/** All that one browser follows, whether it is told over a stream or asks for it. */
export class Feed {
  readonly id: string = randomUUID()
  readonly session: Session
  readonly #options: FeedOptions
  /** By topic: how to stop. */
  readonly #followed = new Map<string, () => void>()
  readonly #untold = new Set<string>()
  #whenTold: () => void = () => {}

  constructor(options: FeedOptions) {
    this.session = options.session
    this.#options = options
  }

  /** Follows these and no others. Each that is new here, or asked for again, is told as it is now. */
  ask({ topics, again = [] }: NewsAsked): void {
    const wanted = new Set(topics)
    for (const topic of [...this.#followed.keys()]) {
      if (!wanted.has(topic) || again.includes(topic)) this.#drop(topic)
    }
    for (const topic of wanted) if (!this.#followed.has(topic)) this.#follow(topic)
  }

  /** Until each topic has been told; at most so long. */
  told(withinMs: number): Promise<void> {
    if (this.#untold.size === 0) return Promise.resolve()
    return new Promise((done) => {
      const cancel = this.#options.schedule(withinMs, done)
      this.#whenTold = () => {
        cancel()
        done()
      }
    })
  }

  stop(): void {
    for (const topic of [...this.#followed.keys()]) this.#drop(topic)
  }

  #follow(text: string): void {
    const { session, topics, schedule } = this.#options
    const cut = text.indexOf(' ')
    const param = cut < 0 ? '' : text.slice(cut + 1)
    const topic = topics.get(cut < 0 ? text : text.slice(0, cut))
    this.#untold.add(text)
    // A page of another version may ask for what is not there.
    if (topic === undefined || !topic.takes(param)) {
      this.#followed.set(text, () => {})
      this.#tell(text, {
        ok: false,
        problem: problemOf('service', { status: 400, title: 'There is nothing like this.' }),
      })
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

  #tell(topic: string, told: Told): void {
    this.#options.tell({ type: 'news', topic, told })
    this.#untold.delete(topic)
    if (this.#untold.size === 0) this.#whenTold()
  }

  #drop(topic: string): void {
    this.#followed.get(topic)?.()
    this.#followed.delete(topic)
    this.#untold.delete(topic)
  }
}
