import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** `dark`: connections stay, and nothing comes through. `down`: nothing listens. `slow`: each part takes its time. */
export type StoreTrouble = 'dark' | 'down' | 'slow'

/** Where a transaction of the journal is held: before its event, before its commit, or with its commit not answered. */
export type HeldAt = 'event' | 'commit' | 'committed'

/** A console's way to its store. */
export interface StoreLine {
  readonly url: string
  begin(trouble: StoreTrouble): Promise<void>
  /** New connections are as they should be; those that went dark are cut, as a network does in the end. */
  mend(): Promise<void>
  /** Holds the `nth` event that is written to the journal from now on; ends when it is held. All goes on after `mend`. */
  hold(nth: number, at: HeldAt): Promise<void>
  stop(): Promise<void>
}

const SLOW_MS = 150

const EVENT = /insert into "?command_event\b/i

/** A prepared statement has its text in the message that prepares it; later runs name it. */
class EventStatements {
  readonly #names = new WeakMap<Socket, Set<string>>()

  isIn(near: Socket, data: Buffer): boolean {
    const text = data.toString('latin1')
    const names = this.#names.get(near) ?? new Set()
    this.#names.set(near, names)
    for (const [, name = '', sql = ''] of text.matchAll(/P[\s\S]{4}(console_\d+)\0([^\0]*)\0/g)) {
      if (EVENT.test(sql)) names.add(name)
    }
    return EVENT.test(text) || [...names].some((name) => text.includes(`\0${name}\0`))
  }
}

/** What is looked for on the way to the store. */
class Hold {
  #left: number
  readonly #at: HeldAt
  #of: Socket | null = null
  #near: Socket | null = null
  readonly #onHeld: () => void

  constructor(nth: number, at: HeldAt, onHeld: () => void) {
    this.#left = nth
    this.#at = at
    this.#onHeld = onHeld
  }

  /** Whether this part of what a console says stays here. */
  stops(near: Socket, far: Socket, isEvent: boolean): boolean {
    if (near === this.#near) {
      if (this.#at === 'committed') this.#of = far
      else this.#onHeld()
      return this.#at !== 'committed'
    }
    if (this.#near !== null || !isEvent) return false
    this.#left -= 1
    if (this.#left > 0) return false
    this.#near = near
    if (this.#at === 'event') this.#onHeld()
    return this.#at === 'event'
  }

  /** Whether this part of what the store says stays here. */
  stopsAnswer(far: Socket): boolean {
    if (far !== this.#of) return false
    this.#onHeld()
    return true
  }
}

export async function startStoreLine(databaseUrl: string): Promise<StoreLine> {
  const to = new URL(databaseUrl)
  const ends = new Set<Socket>()
  let trouble: StoreTrouble | null = null
  let hold: Hold | null = null
  const events = new EventStatements()
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [end, other] of [[near, far] as const, [far, near] as const]) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      end.on('data', async (data) => {
        if (trouble === 'dark') return
        const isEvent = end === near && events.isIn(near, data)
        if (end === near ? hold?.stops(near, far, isEvent) : hold?.stopsAnswer(far)) return
        end.pause()
        if (trouble === 'slow') await wait(SLOW_MS)
        other.write(data)
        end.resume()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((done) => (server.listening ? server.close(() => done()) : done()))
    for (const end of ends) end.destroy()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    async begin(begun) {
      trouble = begun
      if (begun === 'down') await cut()
    },
    hold: (nth, at) =>
      new Promise((done) => {
        hold = new Hold(nth, at, done)
      }),
    async mend() {
      hold = null
      const { listening } = server
      if (trouble === 'dark') for (const end of ends) end.destroy()
      trouble = null
      if (!listening) await listen(port)
    },
    stop: cut,
  }
}
