import { newUuid } from '#sandbox/world/random.ts'
import type { World } from '#sandbox/world/world.ts'

/** A connection that was negotiated has to be opened within so long, by the machine's clock. */
const WAITS_MS = 30_000

export interface Negotiated {
  readonly connectionId: string
  /** Opens the connection, once, for the same user. */
  readonly connectionToken: string
}

/** Connections that were negotiated and not opened yet. */
export class Negotiations {
  readonly #world: World
  #waiting = new Map<string, { readonly userId: string; readonly endsMs: number }>()

  constructor(world: World) {
    this.#world = world
  }

  issue(userId: string): Negotiated {
    const now = this.#world.wallMilliseconds()
    this.#waiting = new Map([...this.#waiting].filter(([, { endsMs }]) => endsMs > now))
    const connectionToken = newUuid(this.#world.random)
    this.#waiting.set(connectionToken, { userId, endsMs: now + WAITS_MS })
    return { connectionId: newUuid(this.#world.random), connectionToken }
  }

  /** True for the one who negotiated, the first time. */
  take(connectionToken: string, userId: string): boolean {
    const found = this.#waiting.get(connectionToken)
    if (found?.userId !== userId || found.endsMs <= this.#world.wallMilliseconds()) return false
    return this.#waiting.delete(connectionToken)
  }
}
