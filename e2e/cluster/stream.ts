import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

interface Heard {
  readonly type: string
  readonly topic?: string
  readonly result?: { readonly value?: unknown }
}

interface Answered {
  readonly status: number
  readonly body: Readable
}

/**
 * As pages pause: up to a second where the console asks for a new stream, an eighth of that and doubling where it opened
 * none, else half a second doubling, less up to a half.
 */
const RESYNC_WITHIN_MS = 1_000
const NOT_OPENED_WITHIN_MS = 125
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** The stream of one tab, opened again whenever it ends, as `components/stream/event-stream-client.ts` does. Times are of `performance.now()`. */
export class Stream {
  readonly heard: Heard[] = []
  /** When it was opened, each time. */
  readonly opened: number[] = []
  isOpen = false
  /** The console said that the session is over. */
  isOver = false
  readonly #ask: () => Promise<Answered>
  #closed = false
  #failures = 0
  #notOpened = 0

  constructor(ask: () => Promise<Answered>) {
    this.#ask = ask
    void this.#run()
  }

  close(): void {
    this.#closed = true
  }

  /** Whether something was told of a topic, by what its value has in it. */
  hasHeard(topic: string, part: string): boolean {
    return this.heard.some((event) => event.topic === topic && JSON.stringify(event.result).includes(part))
  }

  async #run(): Promise<void> {
    while (!this.#closed && !this.isOver) await wait(await this.#listen().catch(() => this.#pause()))
  }

  /** From its opening to its end; answers how long to wait then. */
  async #listen(): Promise<number> {
    try {
      const { status, body } = await this.#ask()
      if (status !== 200) {
        body.resume()
        return this.#pause()
      }
      let rest = ''
      for await (const part of body) {
        const blocks = (rest + part).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data !== undefined && this.#hear(JSON.parse(data) as Heard)) return this.#pauseAfterResync()
        }
      }
      return this.#pause()
    } finally {
      this.isOpen = false
    }
  }

  /** Whether this is the last one of this stream. */
  #hear(event: Heard): boolean {
    this.heard.push(event)
    if (event.type === 'open') {
      this.opened.push(performance.now())
      this.isOpen = true
      this.#failures = 0
      this.#notOpened = 0
    }
    this.isOver ||= event.type === 'closed'
    return event.type === 'closed' || event.type === 'resync'
  }

  #pauseAfterResync(): number {
    const withinMs = this.isOpen ? RESYNC_WITHIN_MS : NOT_OPENED_WITHIN_MS * 2 ** this.#notOpened
    if (!this.isOpen) this.#notOpened += 1
    return Math.random() * Math.min(RESYNC_WITHIN_MS, withinMs)
  }

  #pause(): number {
    const whole = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    return whole * (1 - Math.random() / 2)
  }
}
