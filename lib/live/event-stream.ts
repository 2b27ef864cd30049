import 'server-only'
import type { Schedule } from './schedule.ts'
import type { StreamEnd } from './stream-end.ts'

/** A browser that is further behind starts again. */
const WAITING_MAX = 256
/** One event may be a long thread. */
const WAITING_MAX_CHARS = 8 * 1024 * 1024
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ':\n\n'

export interface EventStreamOptions {
  readonly schedule: Schedule
  /** Called once. */
  onOver(): void
}

/** Sends `resync` if the buffer overflows. The heartbeat reveals a lost connection. */
export class EventStream<Event extends object> {
  readonly body: ReadableStream<Uint8Array>
  readonly #options: EventStreamOptions
  readonly #encoder = new TextEncoder()
  #waiting: string[] = []
  #waitingChars = 0
  #sequence = 0
  #over = false
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

  send(event: Event): void {
    if (this.#over) return
    if (this.#waiting.length >= WAITING_MAX || this.#waitingChars >= WAITING_MAX_CHARS) {
      this.#waiting = []
      this.end({ type: 'resync' })
      return
    }
    this.#put(event)
  }

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
