import type { NewsAsked, NewsEvent, TopicNews } from '#lib/news/news-event.ts'
import { retryDelayMs } from '#lib/values/retry-delay.ts'
import { readEvents } from './read-events.ts'
import type { Way } from './way.ts'

/** A console that is there says at once which stream this is; a proxy that holds it back does not let it through. */
const FIRST_WITHIN_MS = 5_000
/** A stream that has ended before this, without a word, was cut. */
const SHORT_MS = 5_000
const CUTS_MAX = 3
const POLL_EVERY_MS = 5_000
const STREAM_AGAIN_MS = 60_000
const RESYNC_WITHIN_MS = 1_000

export interface LineOptions {
  /** What all tabs follow right now. */
  topics(): readonly string[]
  ask(path: string, body: unknown, signal?: AbortSignal): Promise<Response>
  /** Whether somebody is signed in in this browser; null when the console does not answer. */
  isSignedIn(): Promise<boolean | null>
  onNews(news: TopicNews, actor: string): void
  onWay(way: Way): void
}

/** How a stream, or a poll, came to its end. */
type End = 'resync' | 'anew' | 'cut' | 'polled' | Extract<Way, 'offline' | 'session-over' | 'refused'>

const pauses = { 'session-over': 3_000, refused: 60_000, polled: POLL_EVERY_MS, anew: 0, cut: 0 } as const

/** The one way by which news come to a browser: a stream, or where none gets through, a poll for all of them. */
export class NewsLine {
  readonly #options: LineOptions
  #id: string | null = null
  #actor = ''
  #again: string[] = []
  #changed = false
  #sending = false
  /** The stream that is open is not the one to ask any more. */
  #anew = false
  /** Its session has ended: whether there is another one is asked before anything else. */
  #over = false
  #failures = 0
  #cuts = 0
  /** Polled until then. */
  #streamAt = 0
  #told: Way = 'opening'
  readonly #tell = (way: Way) => {
    this.#told = way
    this.#options.onWay(way)
  }
  #lasting: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0
  #goOn = () => {}
  #listening: AbortController | null = null

  constructor(options: LineOptions) {
    this.#options = options
    void this.#run()
  }

  /** The tabs follow something else; of these topics a tab wants to hear as they are now. */
  ask(again: readonly string[]): void {
    this.#again.push(...again)
    this.#changed = true
    if (this.#streamAt > 0) this.#goOn()
    else void this.#send()
  }

  /** A tab that can be seen still waits: timers of hidden tabs are slow. */
  tick(): void {
    if (Date.now() >= this.#dueAt) this.#goOn()
  }

  /** Tries at once: the session, or the network, is back. */
  hurry(): void {
    this.#failures = 0
    this.#goOn()
  }

  /** A line that is cut off in silence would pass for live a while longer. */
  cut(): void {
    this.#listening?.abort()
  }

  async #run(): Promise<never> {
    for (;;) {
      const end = await this.#next()
      if (end === 'offline' || end === 'session-over' || end === 'refused') this.#tell(end)
      await this.#pause(end)
    }
  }

  async #next(): Promise<End> {
    if (this.#over) {
      const signedIn = await this.#options.isSignedIn()
      if (!signedIn) return signedIn === null ? 'offline' : 'session-over'
      this.#over = false
    }
    return this.#streamAt > Date.now() ? await this.#poll() : await this.#listen()
  }

  #pause(end: End): Promise<void> {
    const ms = this.#pauseMs(end)
    this.#dueAt = Date.now() + ms
    return new Promise((done) => {
      // While nobody is signed in, only a page that is seen makes it ask.
      const timer = end === 'session-over' ? undefined : setTimeout(() => this.#goOn(), ms)
      this.#goOn = () => {
        clearTimeout(timer)
        this.#goOn = () => {}
        done()
      }
    })
  }

  #pauseMs(end: End): number {
    if (end === 'resync') return Math.random() * RESYNC_WITHIN_MS
    if (end !== 'offline') return pauses[end]
    this.#failures += 1
    // What keeps polls off as well is no proxy that holds streams back.
    this.#streamAt = 0
    return retryDelayMs(this.#failures - 1, Math.random())
  }

  /** One stream, from its opening to its end, however that comes. */
  async #listen(): Promise<End> {
    const listening = new AbortController()
    this.#listening = listening
    const { signal } = listening
    let openedAt: number | null = null
    let held = false
    const late = setTimeout(() => {
      held = true
      listening.abort()
    }, FIRST_WITHIN_MS)
    this.#id = null
    try {
      this.#changed = false
      const response = await this.#options.ask('/api/stream', this.#asked(), signal)
      const refused = this.#endOf(response)
      if (refused !== null || response.body === null) return refused ?? 'offline'
      openedAt = Date.now()
      for await (const event of readEvents<NewsEvent>(response.body)) {
        clearTimeout(late)
        if (event.type === 'resync') return 'resync'
        if (event.type === 'closed') return this.#ended()
        this.#hear(event)
        if (event.type === 'open') this.#live()
      }
    } catch {
      // The line broke, or the console does not answer.
    } finally {
      clearTimeout(late)
      clearTimeout(this.#lasting)
      listening.abort()
    }
    return held ? this.#pollNow() : this.#endOfCut(openedAt)
  }

  /** Somebody may be signed in again by now. */
  #ended(): End {
    this.#over = true
    return 'anew'
  }

  #live(): void {
    this.#failures = 0
    this.#streamAt = 0
    // While news are polled for, a stream may be cut like those before it: it is told of when it has lasted.
    if (this.#told === 'polling') this.#lasting = setTimeout(() => this.#tell('live'), SHORT_MS)
    else this.#tell('live')
    if (this.#changed) void this.#send()
  }

  #endOfCut(openedAt: number | null): End {
    if (this.#anew) {
      this.#anew = false
      return 'anew'
    }
    if (openedAt === null) return 'offline'
    this.#cuts = Date.now() - openedAt < SHORT_MS ? this.#cuts + 1 : 0
    return this.#cuts < (this.#told === 'polling' ? 1 : CUTS_MAX) ? 'offline' : this.#pollNow()
  }

  #pollNow(): End {
    this.#cuts = 0
    this.#id = null
    this.#streamAt = Date.now() + STREAM_AGAIN_MS
    return 'cut'
  }

  async #poll(): Promise<End> {
    try {
      const response = await this.#options.ask('/api/news', { ...this.#asked(), id: this.#id })
      const refused = this.#endOf(response)
      if (refused !== null) return refused
      const { events } = (await response.json()) as { readonly events: readonly NewsEvent[] }
      this.#failures = 0
      this.#tell('polling')
      for (const event of events) {
        if (event.type === 'closed') return this.#ended()
        // The next poll begins anew.
        if (event.type === 'resync') this.#id = null
        else this.#hear(event)
      }
      return 'polled'
    } catch {
      return 'offline'
    }
  }

  #hear(event: Exclude<NewsEvent, { type: 'resync' | 'closed' }>): void {
    if (event.type === 'news') this.#options.onNews(event, this.#actor)
    else {
      this.#id = event.id
      this.#actor = event.actor
    }
  }

  #asked(): NewsAsked {
    const topics = this.#options.topics()
    const again = this.#again.filter((topic) => topics.includes(topic))
    this.#again = []
    return { topics, again: [...new Set(again)] }
  }

  /** Tells the stream that is open what is followed now. */
  async #send(): Promise<void> {
    if (this.#sending || this.#id === null) return
    this.#sending = true
    while (this.#changed && this.#id !== null) {
      this.#changed = false
      const { signal } = this.#listening ?? {}
      const response = await this.#options.ask(`/api/stream/${this.#id}`, this.#asked(), signal).catch(() => null)
      // What nobody reads stays under way.
      await response?.text().catch(() => {})
      // Another process, another session, or nobody there: a new stream tells.
      if (response?.status === 200 || signal?.aborted) continue
      this.#anew = response !== null
      this.#listening?.abort()
    }
    this.#sending = false
  }

  #endOf({ ok, status }: Response): End | null {
    if (status === 401) return this.#ended()
    if (ok) return null
    return status < 500 ? 'refused' : 'offline'
  }
}
