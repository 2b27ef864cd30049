import 'server-only'
import { HttpTransportType, type HubConnection, HubConnectionBuilder, NullLogger } from '@microsoft/signalr'
import { type ClientOptions, WebSocket } from 'ws'
import { log, outsideWork } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { hubEvents } from '#lib/contract/disputes.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'
import type { Hub, HubListener, HubMethod } from './hub.ts'
import type { HubEventName } from './hub-payload.ts'
import { HubToken, type TokenSource } from './hub-token.ts'
import type { Schedule } from './schedule.ts'

const ANSWER_WITHIN_MS = 5_000

const hubLines = (): Set<HubLine> => perProcess('hub lines', () => new Set())

export function countHubLines(): Readonly<Record<'connected' | 'away', number>> {
  const connected = [...hubLines()].filter(({ connection }) => connection !== null).length
  return { connected, away: hubLines().size - connected }
}

export interface HubLineOptions {
  readonly url: string
  readonly token: TokenSource
  readonly listener: HubListener
  readonly schedule: Schedule
}

/**
 * Without negotiation the token is in a header, never in a URL. SignalR's reconnect covers neither the first attempt
 * nor a final close, and its log contains URLs; both are off.
 */
export class HubLine implements Hub {
  readonly #options: HubLineOptions
  readonly #token: HubToken
  #live: HubConnection | null = null
  #connection = 0
  #beginning = true
  #stopped = false
  #wake: () => void = () => {}

  constructor(options: HubLineOptions) {
    this.#options = options
    this.#token = new HubToken(options.token)
    hubLines().add(this)
    void outsideWork(() => this.#maintain()).finally(() => hubLines().delete(this))
  }

  get connection(): number | null {
    return this.#live === null ? null : this.#connection
  }

  get beginning(): boolean {
    return this.#beginning
  }

  async call(method: HubMethod, caseId: string): Promise<boolean> {
    const live = this.#live
    if (live === null) return false
    const answered = await this.#within(ANSWER_WITHIN_MS, live.invoke(method, caseId))
    // A connection keeps its first token, which may be old.
    if (!answered && live === this.#live && (await this.#token.isOld())) hangUp(live)
    return answered
  }

  stop(): void {
    this.#stopped = true
    this.#wake()
    if (this.#live !== null) hangUp(this.#live)
  }

  async #maintain(): Promise<void> {
    let failures = 0
    while (!this.#stopped) {
      const token = await this.#token.next()
      if (this.#stopped) return
      const wasUp = token !== null && token !== 'over' && (await this.#connect(token))
      if (this.#stopped) return
      failures = wasUp ? 0 : failures + 1
      if (wasUp || failures === 1) log().info({ event: 'hub', state: wasUp ? 'lost' : 'unreachable' })
      if (wasUp || this.#beginning) {
        this.#beginning = false
        this.#options.listener.down()
      }
      if (token === 'over') return
      await this.#pause(retryDelayMs(Math.max(0, failures - 1), Math.random()))
    }
  }

  /** Resolves after the connection has ended; true if it was established. */
  async #connect(token: string): Promise<boolean> {
    const { url, listener } = this.#options
    const options = {
      transport: HttpTransportType.WebSockets,
      skipNegotiation: true,
      accessTokenFactory: () => token,
      // The types omit this option.
      WebSocket: hubSocket((status) => status === 401 && this.#token.refused()),
    }
    const connection = new HubConnectionBuilder().withUrl(url, options).configureLogging(NullLogger.instance).build()
    for (const name of Object.keys(hubEvents) as HubEventName[]) {
      connection.on(name, (payload: unknown) => {
        if (!this.#stopped) listener.sent(name, payload)
      })
    }
    const closed = new Promise<void>((done) => connection.onclose(() => done()))
    try {
      await connection.start()
    } catch {
      return false
    }
    if (this.#stopped) hangUp(connection)
    else this.#up(connection)
    await closed
    this.#live = null
    return true
  }

  #up(connection: HubConnection): void {
    this.#live = connection
    this.#connection += 1
    this.#beginning = false
    log().info({ event: 'hub', state: 'connected' })
    this.#options.listener.up()
  }

  #within(ms: number, running: Promise<unknown>): Promise<boolean> {
    return new Promise((done) => {
      const finish = (well: boolean) => {
        cancel()
        done(well)
      }
      const cancel = this.#options.schedule(ms, () => finish(false))
      running.then(
        () => finish(true),
        () => finish(false),
      )
    })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.#options.schedule(ms, done)
      this.#wake = () => {
        cancel()
        done()
      }
      if (this.#stopped) this.#wake()
    })
  }
}

function hangUp(connection: HubConnection): void {
  connection.stop().catch(() => {})
}

const HANDSHAKE_WITHIN_MS = 5_000
const PAYLOAD_MAX_BYTES = 256 * 1024

/** Limits time and size. A redirect would send the token elsewhere. */
function hubSocket(onRefused: (status: number) => void) {
  return class extends WebSocket {
    constructor(address: string, protocols?: string | string[], options?: ClientOptions) {
      super(address, protocols, {
        ...options,
        handshakeTimeout: HANDSHAKE_WITHIN_MS,
        maxPayload: PAYLOAD_MAX_BYTES,
        followRedirects: false,
        perMessageDeflate: false,
      })
      this.once('unexpected-response', (_request, response) => {
        onRefused(response.statusCode ?? 0)
        this.terminate()
      })
    }
  }
}
