import 'server-only'
import * as signalR from '@microsoft/signalr'
import { type ClientOptions, WebSocket } from 'ws'
import type { z } from 'zod'
import { log, outsideWork } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { hubEvents, type hubMethods } from '#lib/contract/disputes.ts'
import type { AccessToken } from '#lib/session/vault/access-token.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'
import type { Schedule } from './schedule.ts'

export type HubEventName = keyof typeof hubEvents

type HubMethod = (typeof hubMethods)[keyof typeof hubMethods]

/** After a reconnect, the hub has forgotten all joined cases. */
export interface Hub {
  /** A new number after every reconnect. */
  readonly connection: number | null
  readonly isFirstAttempt: boolean
  /** False if the hub refuses or does not answer. */
  call(method: HubMethod, caseId: string): Promise<boolean>
  stop(): void
}

export interface HubListener {
  connected(): void
  disconnected(): void
  received(name: HubEventName, payload: unknown): void
}

/** Null if it does not fit the contract. The interface does not specify the case of names, so `Id` reads as `id`. */
export function readHubPayload<Name extends HubEventName>(
  name: Name,
  payload: unknown,
): z.output<(typeof hubEvents)[Name]> | null {
  const parsed = hubEvents[name].safeParse(withLowerInitials(payload))
  return parsed.success ? (parsed.data as z.output<(typeof hubEvents)[Name]>) : null
}

const lowerInitial = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

function withLowerInitials(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [lowerInitial(name), field, name] as const)
      .filter(([key, , name]) => key === name || !Object.hasOwn(value, key)),
  )
}

const ANSWER_WITHIN_MS = 5_000
/** A shorter connection counts as a failed attempt. */
const LASTED_MS = 10_000

const hubConnections = (): Set<HubConnection> => perProcess('hub connections', () => new Set())

export function countHubConnections(): Readonly<Record<'connected' | 'away', number>> {
  const connected = [...hubConnections()].filter(({ connection }) => connection !== null).length
  return { connected, away: hubConnections().size - connected }
}

interface HubConnectionOptions {
  readonly url: string
  readonly token: TokenSource
  readonly listener: HubListener
  readonly schedule: Schedule
}

/** Without negotiation the token is in a header, never in a URL. SignalR's reconnect and log (with URLs) are off. */
export class HubConnection implements Hub {
  readonly #options: HubConnectionOptions
  readonly #token: HubToken
  #live: signalR.HubConnection | null = null
  #connection = 0
  #openedAt = 0
  #firstAttempt = true
  #stopped = false
  #wake: () => void = () => {}

  constructor(options: HubConnectionOptions) {
    this.#options = options
    this.#token = new HubToken(options.token)
    hubConnections().add(this)
    void outsideWork(() => this.#maintain()).finally(() => hubConnections().delete(this))
  }

  get connection(): number | null {
    return this.#live === null ? null : this.#connection
  }

  get isFirstAttempt(): boolean {
    return this.#firstAttempt
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
      failures = wasUp && Date.now() - this.#openedAt >= LASTED_MS ? 0 : failures + 1
      if (wasUp || failures === 1) log().info({ event: 'hub', state: wasUp ? 'lost' : 'unreachable' })
      if (wasUp || this.#firstAttempt) {
        this.#firstAttempt = false
        this.#options.listener.disconnected()
      }
      if (token === 'over') return
      await this.#pause(retryDelayMs(Math.max(0, failures - 1), Math.random()))
    }
  }

  /** Resolves after the connection has ended; true if it was established. */
  async #connect(token: string): Promise<boolean> {
    const { url, listener } = this.#options
    const options = {
      transport: signalR.HttpTransportType.WebSockets,
      skipNegotiation: true,
      accessTokenFactory: () => token,
      // The types omit this option.
      WebSocket: hubSocket(this.#options.schedule, (status) => status === 401 && this.#token.markRefused()),
    }
    const connection = new signalR.HubConnectionBuilder()
      .withUrl(url, options)
      .configureLogging(signalR.NullLogger.instance)
      .build()
    for (const name of Object.keys(hubEvents) as HubEventName[]) {
      connection.on(name, (payload: unknown) => {
        if (!this.#stopped) listener.received(name, payload)
      })
    }
    const closed = new Promise<void>((done) => connection.onclose(() => done()))
    try {
      await connection.start()
    } catch {
      return false
    }
    if (this.#stopped) hangUp(connection)
    else this.#opened(connection)
    await closed
    this.#live = null
    return true
  }

  #opened(connection: signalR.HubConnection): void {
    this.#live = connection
    this.#connection += 1
    this.#openedAt = Date.now()
    this.#firstAttempt = false
    log().info({ event: 'hub', state: 'connected' })
    this.#options.listener.connected()
  }

  #within(ms: number, running: Promise<unknown>): Promise<boolean> {
    return new Promise((done) => {
      const finish = (isAnswered: boolean) => {
        cancel()
        done(isAnswered)
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

function hangUp(connection: signalR.HubConnection): void {
  connection.stop().catch(() => {})
}

const HANDSHAKE_WITHIN_MS = 5_000
const PAYLOAD_MAX_BYTES = 256 * 1024

const PING_EVERY_MS = 4_000
const MISSED_MOST = 2

/** Within 12 seconds. A hub that answers no pings is left to SignalR, which waits for 30. */
function endWhenSilent(socket: WebSocket, schedule: Schedule): void {
  let [answersPings, missed] = [false, 0]
  const hear = () => {
    missed = 0
  }
  socket.on('message', hear)
  socket.on('pong', () => {
    answersPings = true
    hear()
  })
  const check = () => {
    if (missed >= MISSED_MOST && answersPings) return socket.terminate()
    missed += 1
    socket.ping()
    cancel = schedule(PING_EVERY_MS, check)
  }
  let cancel = schedule(PING_EVERY_MS, check)
  socket.once('close', () => cancel())
}

/** Limits time and size. A redirect would send the token elsewhere. */
const hubSocket = (schedule: Schedule, onRefused: (status: number) => void) =>
  class extends WebSocket {
    constructor(address: string, protocols?: string | string[], options?: ClientOptions) {
      super(address, protocols, {
        ...options,
        handshakeTimeout: HANDSHAKE_WITHIN_MS,
        maxPayload: PAYLOAD_MAX_BYTES,
        followRedirects: false,
        perMessageDeflate: false,
      })
      this.once('open', () => endWhenSilent(this, schedule))
      this.once('unexpected-response', (_request, response) => {
        onRefused(response.statusCode ?? 0)
        this.terminate()
      })
    }
  }

/** `rejected`: renew this token whatever its age. */
export type TokenSource = (rejected: string | null) => Promise<AccessToken>

/** Renews a token after a 401, but only once. */
class HubToken {
  readonly #source: TokenSource
  #current: string | null = null
  #refused: string | null = null
  #renewed: string | null = null

  constructor(source: TokenSource) {
    this.#source = source
  }

  /** Null: none now. `over`: never again. Never throws. */
  async next(): Promise<string | null | 'over'> {
    const rejected = this.#refused !== this.#renewed ? this.#refused : null
    const access = await this.#read(rejected)
    if (!access.ok) return access.why === 'over' ? 'over' : null
    if (rejected !== null) this.#renewed = access.token
    this.#refused = null
    this.#current = access.token
    return access.token
  }

  markRefused(): void {
    this.#refused = this.#current
  }

  async isOld(): Promise<boolean> {
    const access = await this.#read(null)
    return access.ok && access.token !== this.#current
  }

  async #read(rejected: string | null): Promise<AccessToken> {
    try {
      return await this.#source(rejected)
    } catch {
      return { ok: false, why: 'unavailable' }
    }
  }
}
