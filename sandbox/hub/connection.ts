import { type HubMessage, type InvocationMessage, JsonHubProtocol, MessageType, NullLogger } from '@microsoft/signalr'
import type { WebSocket } from 'ws'
import { z } from 'zod'

/** ASP.NET Core's defaults. */
const HANDSHAKE_WITHIN_MS = 15_000
const PING_EVERY_MS = 15_000
const SILENCE_MAX_MS = 30_000
/** Calls of one connection run in order; this many may wait. */
const CALLS_WAITING_MAX = 100
const SEND_BUFFER_MAX_BYTES = 1024 * 1024

const protocol = new JsonHubProtocol()

export const encode = (message: HubMessage): string => protocol.writeMessage(message)

export const TOKEN_EXPIRED = 'The access token expired.'

const PING = encode({ type: MessageType.Ping })

export interface ConnectionOptions {
  readonly userId: string
  /** Milliseconds since 1970, by the machine's clock. */
  readonly tokenEndsMs: number
  now(): number
  call(connection: Connection, target: string, args: readonly unknown[]): Promise<string | null>
}

export class Connection {
  readonly userId: string
  readonly joined = new Set<string>()
  readonly #socket: WebSocket
  readonly #options: ConnectionOptions
  #stage: 'handshake' | 'open' | 'ended' = 'handshake'
  #openedMs: number
  #heardMs: number
  #sentMs: number
  #calls: Promise<void> = Promise.resolve()
  #callsWaiting = 0

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.userId = options.userId
    this.#socket = socket
    this.#options = options
    this.#openedMs = options.now()
    this.#heardMs = this.#openedMs
    this.#sentMs = this.#openedMs
    socket.on('message', (data) => this.#receive(data.toString()))
    socket.on('close', () => {
      this.#stage = 'ended'
    })
    // `close` follows.
    socket.on('error', () => {})
  }

  send(text: string): void {
    if (this.#stage === 'open') this.#write(text)
  }

  /** Sends a due ping or ends the connection. Call it a few times a second. */
  check(): void {
    const now = this.#options.now()
    if (this.#stage === 'ended') return
    if (this.#stage === 'handshake' && now - this.#openedMs >= HANDSHAKE_WITHIN_MS) this.cut()
    else if (now >= this.#options.tokenEndsMs) this.end(TOKEN_EXPIRED, true)
    else if (now - this.#heardMs >= SILENCE_MAX_MS) this.end('Nothing was heard from the client for too long.', true)
    else if (now - this.#sentMs >= PING_EVERY_MS) this.send(PING)
  }

  end(error: string, allowReconnect: boolean): void {
    this.send(encode({ type: MessageType.Close, error, allowReconnect }))
    this.#close()
  }

  /** Without a close message, like a broken line. */
  cut(): void {
    this.#stage = 'ended'
    this.#socket.terminate()
  }

  #close(): void {
    this.#stage = 'ended'
    this.#socket.close(1000)
  }

  #write(text: string): void {
    if (this.#socket.bufferedAmount > SEND_BUFFER_MAX_BYTES) {
      this.cut()
      return
    }
    this.#sentMs = this.#options.now()
    this.#socket.send(text, () => {})
  }

  #receive(text: string): void {
    this.#heardMs = this.#options.now()
    if (this.#stage === 'handshake') this.#shakeHands(text)
    else if (this.#stage === 'open') this.#take(text)
  }

  #shakeHands(text: string): void {
    const handshake = readHandshake(text)
    if (!handshake.ok) {
      this.#write(writeHandshakeResponse({ error: handshake.error }))
      this.#close()
      return
    }
    this.#write(writeHandshakeResponse({}))
    this.#stage = 'open'
    this.#take(handshake.rest)
  }

  #take(text: string): void {
    let messages: readonly HubMessage[]
    try {
      messages = protocol.parseMessages(text, NullLogger.instance)
    } catch {
      this.end('A message cannot be read.', false)
      return
    }
    for (const message of messages) {
      if (message.type === MessageType.Invocation) this.#queue(message)
      else if (message.type === MessageType.Close) this.#close()
    }
  }

  #queue(message: InvocationMessage): void {
    if (this.#callsWaiting >= CALLS_WAITING_MAX) {
      this.end('Too many calls at once.', false)
      return
    }
    this.#callsWaiting += 1
    this.#calls = this.#calls.then(async () => {
      await this.#run(message)
      this.#callsWaiting -= 1
    })
  }

  async #run({ invocationId, target, arguments: args }: InvocationMessage): Promise<void> {
    if (this.#stage !== 'open') return
    const error = await this.#options.call(this, target, Array.isArray(args) ? args : [])
    if (invocationId === undefined) return
    const type = MessageType.Completion
    this.send(encode(error === null ? { type, invocationId, result: null } : { type, invocationId, error }))
  }
}

const RECORD_END = '\u001e'

const request = z.looseObject({ protocol: z.string(), version: z.number() })

/** `rest` is what followed the handshake in the same message. `error` is sent to the client. */
function readHandshake(text: string) {
  const end = text.indexOf(RECORD_END)
  const parsed = request.safeParse(end < 0 ? null : parse(text.slice(0, end)))
  if (!parsed.success) return { ok: false as const, error: 'The handshake cannot be read.' }
  const { protocol, version } = parsed.data
  if (protocol !== 'json') return { ok: false as const, error: `The protocol '${protocol}' is not supported.` }
  if (version !== 1)
    return { ok: false as const, error: `The server does not support version ${version} of the 'json' protocol.` }
  return { ok: true as const, rest: text.slice(end + 1) }
}

const writeHandshakeResponse = (response: { readonly error?: string }): string => JSON.stringify(response) + RECORD_END

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
