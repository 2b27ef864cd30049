import type { NewsAsked, NewsEvent, TopicNews } from '#lib/news/news-event.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'
import { readEvents } from './read-events.ts'
import type { Way } from './way.ts'

/** The console sends the stream's id at once; a proxy that buffers the stream does not pass it on. */
const FIRST_WITHIN_MS = 5_000
/** An earlier end without a closing event counts as cut by a proxy. */
const SHORT_MS = 5_000
const CUTS_MAX = 3
const POLL_EVERY_MS = 5_000
const STREAM_AGAIN_MS = 60_000
const RESYNC_WITHIN_MS = 1_000

export interface LineOptions {
  /** The topics of all tabs. */
  topics(): readonly string[]
  ask(path: string, body: unknown, signal?: AbortSignal): Promise<Response>
  /** Null when the console does not answer. */
  isSignedIn(): Promise<boolean | null>
  onNews(news: TopicNews, actor: string): void
  onWay(way: Way): void
}

type End = 'resync' | 'anew' | 'cut' | 'polled' | Extract<Way, 'offline' | 'session-over' | 'refused'>

const pauses = { 'session-over': 3_000, refused: 60_000, polled: POLL_EVERY_MS, anew: 0, cut: 0 } as const

/** The browser's one connection: a stream or, when proxies block streams, polling. */
export class NewsLine {
  readonly #options: LineOptions
  #id: string | null = null
  #actor = ''
  #again: string[] = []
  #changed = false
  #sending = false
  /** The open stream is no longer valid. */
  #anew = false
  /** The session ended: check for a new one before connecting. */
  #over = false
  #failures = 0
  #cuts = 0
  /** Poll until then; milliseconds since 1970. */
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

  /** `again`: topics whose current value a tab needs. */
  ask(again: readonly string[]): void {
    this.#again.push(...again)
    this.#changed = true
    if (this.#streamAt > 0) this.#goOn()
    else void this.#send()
  }

  /** Visible tabs call this, because browsers slow the timers of hidden tabs. */
  tick(): void {
    if (Date.now() >= this.#dueAt) this.#goOn()
  }

  /** The session or the network is back. */
  hurry(): void {
    this.#failures = 0
    this.#goOn()
  }

  /** Call when the network is lost: the stream would look live until the silence limit. */
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
      // While signed out, only a visible page triggers the next check.
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
    // Polling fails too, so no proxy is blocking streams.
    this.#streamAt = 0
    return retryDelayMs(this.#failures - 1, Math.random())
  }

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
      // The connection broke, or the console does not answer.
    } finally {
      clearTimeout(late)
      clearTimeout(this.#lasting)
      listening.abort()
    }
    return held ? this.#pollNow() : this.#endOfCut(openedAt)
  }

  /** Another sign-in may have happened since. */
  #ended(): End {
    this.#over = true
    return 'anew'
  }

  #live(): void {
    this.#failures = 0
    this.#streamAt = 0
    // After polling, report `live` only once the stream has lasted.
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
        // The next poll starts from the current state.
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

  async #send(): Promise<void> {
    if (this.#sending || this.#id === null) return
    this.#sending = true
    while (this.#changed && this.#id !== null) {
      this.#changed = false
      const { signal } = this.#listening ?? {}
      const response = await this.#options.ask(`/api/stream/${this.#id}`, this.#asked(), signal).catch(() => null)
      // An unread body keeps the connection occupied.
      await response?.text().catch(() => {})
      // The stream belongs to another process or session, or there was no answer.
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
