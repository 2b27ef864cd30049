import type { Hub, HubListener } from '#lib/live/hub.ts'
import type { HubEventName } from '#lib/live/hub-payload.ts'

/** A call of ours that is not answered yet. It is carried out at one moment, and the answer comes at a later one. */
export interface Waiting {
  serve(): void
  answer(): void
  fail(): void
}

interface Sent {
  readonly messageId: string | null
  deliver(): void
}

/** A dispute hub with one client, in which nothing happens by itself. */
export class SimulatedHub {
  /** What it has sent and has not arrived. */
  readonly transit: Sent[] = []
  letsJoin: boolean
  readonly #waiting: Waiting[]
  #listener: HubListener | null = null
  #connection: number | null = null
  #connections = 0
  #beginning = true
  #joined = false
  #earlierCalls: () => void = () => {}

  constructor(letsJoin: boolean, waiting: Waiting[]) {
    this.letsJoin = letsJoin
    this.#waiting = waiting
  }

  get up(): boolean {
    return this.#connection !== null
  }

  readonly open = (listener: HubListener): Hub => {
    const hub = this
    this.#listener = listener
    return {
      get connection() {
        return hub.#connection
      },
      get beginning() {
        return hub.#beginning
      },
      call: (method) => this.#call(method),
      stop: () => this.#cut(),
    }
  }

  connect(): void {
    if (this.#connection !== null || this.#listener === null) return
    this.#connections += 1
    this.#connection = this.#connections
    this.#beginning = false
    this.#listener.up()
  }

  /** The line breaks: what was under way is gone, and who listened is forgotten. Or the very first attempt fails. */
  drop(): void {
    if (this.#connection === null && !this.#beginning) return
    this.#beginning = false
    this.#cut()
    this.#listener?.down()
  }

  /** Sends an event to a client that has joined. */
  send(name: HubEventName, payload: object, messageId: string | null): void {
    const listener = this.#listener
    if (!this.#joined || listener === null) return
    this.transit.push({ messageId, deliver: () => listener.sent(name, payload) })
  }

  #cut(): void {
    this.#connection = null
    this.#joined = false
    this.transit.length = 0
  }

  /** The calls of one connection are carried out in the order of their coming. */
  #call(method: string): Promise<boolean> {
    const connection = this.#connection
    const earlier = this.#earlierCalls
    let served = false
    const serve = () => {
      earlier()
      if (served || connection === null || connection !== this.#connection) return
      served = true
      this.#joined = method === 'JoinCase' && this.letsJoin
    }
    this.#earlierCalls = serve
    return new Promise((done) => {
      this.#waiting.push({
        serve,
        answer: () => {
          serve()
          done(served && this.letsJoin)
        },
        fail: () => done(false),
      })
    })
  }
}
