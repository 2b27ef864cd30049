import 'server-only'
import type { Schedule } from './schedule.ts'
import type { StreamEnd } from './stream-end.ts'

/** A browser that is so far behind starts over. */
const WAITING_MAX = 256
/** And one that so much waits for: each event may be the snapshot of a long thread. A single one may be longer. */
const WAITING_MAX_CHARS = 8 * 1024 * 1024
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ':\n\n'

export interface EventStreamOptions {
  readonly schedule: Schedule
  /** The browser is gone, or the stream has been ended. Called once. */
  onOver(): void
}

/**
 * One stream of server-sent events. What the browser has not taken yet waits, up to a limit; beyond that it is told to
 * start over with a snapshot. Silence is broken every fifteen seconds, so that both ends notice when the other is gone.
 */
export class EventStream<Event extends object> {
  readonly body: ReadableStream<Uint8Array>
  readonly #options: EventStreamOptions
  readonly #encoder = new TextEncoder()
  #waiting: string[] = []
  #waitingChars = 0
  #sequence = 0
  #over = false
  /** The browser is gone: nothing can be given any more. */
  #left = false
  #wake: () => void = () => {}
  #cancelHeartbeat: () => void = () => {}

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.body = new ReadableStream(
      { pull: (controller) => this.#give(controller), cancel: () => this.#leave() },
      { highWaterMark: 0 },
    )
    this.#beat()
  }

  /** Sends an event; does nothing on a stream that is over. */
  send(event: Event): void {
    if (this.#over) return
    if (this.#waiting.length >= WAITING_MAX || this.#waitingChars >= WAITING_MAX_CHARS) {
      this.#waiting = []
      this.end({ type: 'resync' })
      return
    }
    this.#put(event)
  }

  /** Sends a last event and ends the stream. */
  end(last: StreamEnd): void {
    if (this.#over) return
    this.#put(last)
    this.#finish()
  }

  #put(event: Event | StreamEnd): void {
    this.#sequence += 1
    const text = `id: ${this.#sequence}\ndata: ${JSON.stringify(event)}\n\n`
    this.#waiting.push(text)
    this.#waitingChars += text.length
    this.#wake()
  }

  #beat(): void {
    this.#cancelHeartbeat = this.#options.schedule(HEARTBEAT_MS, () => {
      if (this.#waiting.length === 0) this.#waiting.push(HEARTBEAT)
      this.#wake()
      this.#beat()
    })
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#cancelHeartbeat()
    this.#wake()
    this.#options.onOver()
  }

  #leave(): void {
    this.#left = true
    this.#finish()
  }

  async #give(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#over) {
      await new Promise<void>((done) => {
        this.#wake = done
      })
    }
    if (this.#left) return
    const text = this.#waiting.splice(0).join('')
    this.#waitingChars = 0
    if (text === '') controller.close()
    else controller.enqueue(this.#encoder.encode(text))
  }
}
