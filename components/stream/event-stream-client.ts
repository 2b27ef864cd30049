import type { StreamEvent, TopicEvent, TopicsRequest } from '#lib/stream/stream-event.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'

/** `polling`: streams are blocked, so the browser asks every five seconds. `offline`: the console does not answer. */
export type ConnectionState = 'opening' | 'live' | 'polling' | 'offline' | 'session-over' | 'refused'

/** The console sends the stream's id at once; a proxy that buffers the stream does not pass it on. */
const FIRST_WITHIN_MS = 5_000
/** An earlier end without a closing event counts as cut by a proxy. */
const SHORT_MS = 5_000
const CUTS_MAX = 3
const POLL_EVERY_MS = 5_000
const STREAM_AGAIN_MS = 60_000
const ANSWER_WITHIN_MS = 20_000
const SESSION_WITHIN_MS = 4_000
const RESYNC_WITHIN_MS = 1_000
/** Doubled each time, up to {@link RESYNC_WITHIN_MS}. */
const NOT_OPENED_WITHIN_MS = 125

export interface ClientOptions {
  /** The topics of all tabs. */
  topics(): readonly string[]
  send(path: string, body: unknown, signal?: AbortSignal): Promise<Response>
  /** Null when the console does not answer. */
  isSignedIn(signal: AbortSignal): Promise<boolean | null>
  onEvent(event: TopicEvent, actor: string): void
  onState(state: ConnectionState): void
}

/** `not-opened`: by a process that is stopping, which a proxy still reaches for a few seconds. */
type End =
  | 'resync'
  | 'not-opened'
  | 'restart'
  | 'cut'
  | 'polled'
  | Extract<ConnectionState, 'offline' | 'session-over' | 'refused'>

const pauses = { 'session-over': 3_000, refused: 60_000, polled: POLL_EVERY_MS, restart: 0, cut: 0 } as const

/** The browser's one connection: a stream or, when proxies block streams, polling. */
export class EventStreamClient {
  readonly #options: ClientOptions
  #id: string | null = null
  #actor = ''
  #again: string[] = []
  #changed = false
  #sending = false
  /** The open stream is no longer valid. */
  #restart = false
  /** The session ended: check for a new one before connecting. */
  #over = false
  #failures = 0
  #cuts = 0
  #notOpened = 0
  /** Poll until then; milliseconds since 1970. */
  #streamAt = 0
  #state: ConnectionState = 'opening'
  #lasting: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0
  #goOn = () => {}
  #stream = new AbortController()

  constructor(options: ClientOptions) {
    this.#options = options
    void this.#run()
  }

  /** `again`: topics whose current value a tab needs. */
  topicsChanged(again: readonly string[]): void {
    this.#again.push(...again)
    this.#changed = true
    if (this.#streamAt > 0) this.#goOn()
    else void this.#sendTopics()
  }

  /** Visible tabs call this, because browsers slow the timers of hidden tabs. */
  tick(): void {
    if (Date.now() >= this.#dueAt) this.#goOn()
  }

  /** The session or the network is back. */
  reconnectNow(): void {
    this.#failures = 0
    this.#goOn()
  }

  /** Call when the network is lost: the stream would look live until the silence limit. */
  disconnect(): void {
    this.#stream.abort()
  }

  async #run(): Promise<never> {
    for (;;) {
      const end = await this.#next()
      if (end === 'offline' || end === 'session-over' || end === 'refused') this.#setState(end)
      await this.#pause(end)
    }
  }

  async #next(): Promise<End> {
    if (this.#over) {
      const signedIn = await this.#options.isSignedIn(AbortSignal.timeout(SESSION_WITHIN_MS))
      if (!signedIn) return signedIn === null ? 'offline' : 'session-over'
      this.#over = false
    }
    return this.#streamAt > Date.now() ? await this.#poll() : await this.#readStream()
  }

  #setState(state: ConnectionState): void {
    this.#state = state
    this.#options.onState(state)
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
    if (end === 'not-opened') {
      const withinMs = Math.min(RESYNC_WITHIN_MS, NOT_OPENED_WITHIN_MS * 2 ** this.#notOpened)
      this.#notOpened += 1
      return Math.random() * withinMs
    }
    if (end !== 'offline') return pauses[end]
    this.#failures += 1
    // The events of a failed poll are lost.
    this.#streamAt = 0
    return retryDelayMs(this.#failures - 1, Math.random())
  }

  async #readStream(): Promise<End> {
    const stream = new AbortController()
    this.#stream = stream
    const { signal } = stream
    let openedAt: number | null = null
    let buffered = false
    const late = setTimeout(() => {
      buffered = true
      stream.abort()
    }, FIRST_WITHIN_MS)
    this.#id = null
    try {
      this.#changed = false
      const response = await this.#options.send('/api/stream', this.#topicsRequest(), signal)
      const refused = this.#shortId(response)
      if (refused !== null || response.body === null) return refused ?? 'offline'
      openedAt = Date.now()
      for await (const event of readEvents<StreamEvent>(response.body)) {
        clearTimeout(late)
        if (event.type === 'resync') return this.#id === null ? 'not-opened' : 'resync'
        if (event.type === 'closed') return this.#sessionEnded()
        this.#receive(event)
        if (event.type === 'open') this.#opened()
      }
    } catch {
      // The connection broke, or the console does not answer.
    } finally {
      clearTimeout(late)
      clearTimeout(this.#lasting)
      stream.abort()
    }
    return buffered ? this.#startPolling() : this.#endOfCut(openedAt)
  }

  /** Another sign-in may have happened since. */
  #sessionEnded(): End {
    this.#over = true
    return 'restart'
  }

  #opened(): void {
    this.#failures = 0
    this.#notOpened = 0
    this.#streamAt = 0
    // After polling, report `live` only once the stream has lasted.
    if (this.#state === 'polling') this.#lasting = setTimeout(() => this.#setState('live'), SHORT_MS)
    else this.#setState('live')
    if (this.#changed) void this.#sendTopics()
  }

  #endOfCut(openedAt: number | null): End {
    if (this.#restart) {
      this.#restart = false
      return 'restart'
    }
    if (openedAt === null) return 'offline'
    this.#cuts = Date.now() - openedAt < SHORT_MS ? this.#cuts + 1 : 0
    return this.#cuts < (this.#state === 'polling' ? 1 : CUTS_MAX) ? 'offline' : this.#startPolling()
  }

  #startPolling(): End {
    this.#cuts = 0
    this.#id = null
    this.#streamAt = Date.now() + STREAM_AGAIN_MS
    return 'cut'
  }

  async #poll(): Promise<End> {
    try {
      const request = { ...this.#topicsRequest(), id: this.#id }
      const response = await this.#options.send('/api/stream/poll', request, AbortSignal.timeout(ANSWER_WITHIN_MS))
      const refused = this.#shortId(response)
      if (refused !== null) return refused
      const { events } = (await response.json()) as { readonly events: readonly StreamEvent[] }
      this.#failures = 0
      this.#setState('polling')
      for (const event of events) {
        if (event.type === 'closed') return this.#sessionEnded()
        // The next poll starts from the current state.
        if (event.type === 'resync') this.#id = null
        else this.#receive(event)
      }
      return 'polled'
    } catch {
      return 'offline'
    }
  }

  #receive(event: Exclude<StreamEvent, { type: 'resync' | 'closed' }>): void {
    if (event.type === 'topic') this.#options.onEvent(event, this.#actor)
    else {
      this.#id = event.id
      this.#actor = event.actor
    }
  }

  #topicsRequest(): TopicsRequest {
    const topics = this.#options.topics()
    const again = this.#again.filter((topic) => topics.includes(topic))
    this.#again = []
    return { topics, again: [...new Set(again)] }
  }

  async #sendTopics(): Promise<void> {
    if (this.#sending || this.#id === null) return
    this.#sending = true
    while (this.#changed && this.#id !== null) {
      this.#changed = false
      const stream = this.#stream
      const late = setTimeout(() => stream.abort(), ANSWER_WITHIN_MS)
      const path = `/api/stream/${this.#id}`
      const response = await this.#options.send(path, this.#topicsRequest(), stream.signal).catch(() => null)
      // An unread body keeps the connection occupied.
      await response?.text().catch(() => {})
      clearTimeout(late)
      // The stream belongs to another process or session, or there was no answer.
      if (response?.status === 200 || stream.signal.aborted) continue
      this.#restart = response !== null
      stream.abort()
    }
    this.#sending = false
  }

  #shortId({ ok, status }: Response): End | null {
    if (status === 401) return this.#sessionEnded()
    if (ok) return null
    return status < 500 ? 'refused' : 'offline'
  }
}

/** The server sends something at least every 15 seconds. */
const SILENCE_MAX_MS = 40_000

/** Throws when the connection breaks, is silent too long, or skips an event id. */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let latest: number | null = null
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read())
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        // A block without data is a heartbeat.
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data === undefined) continue
        const id = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? Number.NaN)
        if (latest !== null && id > latest + 1) throw new Error('an event is missing')
        latest = Number.isNaN(id) ? null : id
        yield JSON.parse(data) as Event
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const orSilence = <Value>(reading: Promise<Value>): Promise<Value> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('the stream is silent')), SILENCE_MAX_MS)
    reading.then(done, fail).finally(() => clearTimeout(timer))
  })
