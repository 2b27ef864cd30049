import 'server-only'
import type { Schedule } from './schedule.ts'
import type { EndEvent } from './stream-event.ts'

/** A browser that is further behind starts again. */
const WAITING_MAX = 256
/** Without the longest event, which may be a thread. */
const WAITING_MAX_CHARS = 8 * 1024 * 1024
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ':\n\n'

export interface EventStreamOptions {
  readonly schedule: Schedule
  /** Called once. */
  onOver(): void
}

/** Server-sent events. Sends `resync` if the buffer overflows. The heartbeat reveals a lost connection. */
export class EventStream<Event extends object> {
  readonly body: ReadableStream<Uint8Array>
  readonly #options: EventStreamOptions
  readonly #encoder = new TextEncoder()
  #waiting: string[] = []
  #sequence = 0
  #readUpTo = 0
  #over = false
  #cancelled = false
  #wake: () => void = () => {}
  #cancelHeartbeat: () => void = () => {}

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.body = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#cancel() },
      { highWaterMark: 0 },
    )
    this.#scheduleHeartbeat()
  }

  send(event: Event): void {
    if (this.#over) return
    if (this.#waiting.length >= WAITING_MAX || this.#waitingChars() >= WAITING_MAX_CHARS) {
      this.#waiting = []
      this.#sequence = this.#readUpTo
      this.end({ type: 'resync' })
      return
    }
    this.#enqueue(event)
  }

  end(last: EndEvent): void {
    if (this.#over) return
    this.#enqueue(last)
    this.#finish()
  }

  #enqueue(event: Event | EndEvent): void {
    this.#sequence += 1
    this.#waiting.push(`id: ${this.#sequence}\ndata: ${JSON.stringify(event)}\n\n`)
    this.#wake()
  }

  #waitingChars(): number {
    const chars = this.#waiting.map(({ length }) => length)
    return chars.reduce((sum, length) => sum + length, -Math.max(0, ...chars))
  }

  #scheduleHeartbeat(): void {
    this.#cancelHeartbeat = this.#options.schedule(HEARTBEAT_MS, () => {
      if (this.#waiting.length === 0) this.#waiting.push(HEARTBEAT)
      this.#wake()
      this.#scheduleHeartbeat()
    })
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#cancelHeartbeat()
    this.#wake()
    this.#options.onOver()
  }

  #cancel(): void {
    this.#cancelled = true
    this.#finish()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#over) {
      await new Promise<void>((done) => {
        this.#wake = done
      })
    }
    if (this.#cancelled) return
    const text = this.#waiting.splice(0).join('')
    this.#readUpTo = this.#sequence
    if (text === '') controller.close()
    else controller.enqueue(this.#encoder.encode(text))
  }
}
