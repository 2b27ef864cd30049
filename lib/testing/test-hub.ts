import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HubMessage, type InvocationMessage, JsonHubProtocol, MessageType, NullLogger } from '@microsoft/signalr'
import { type WebSocket, WebSocketServer } from 'ws'

const protocol = new JsonHubProtocol()
const END = '\u001e'

/** What a test decides about its hub. */
interface HubRules {
  /** The HTTP status of an upgrade with this token; 101 lets it in. */
  admit(token: string | null): number
  /** What comes of a call: null is well, a text is refused with it, `silence` is never answered. */
  answer(method: string, caseId: unknown): string | null | 'silence'
}

export interface Upgrade {
  readonly url: string
  readonly authorization: string | null
}

/** A hub of the SignalR kind on a port of its own, with which a test can do what it likes. */
export class TestHub {
  readonly url: string
  readonly rules: HubRules = { admit: () => 101, answer: () => null }
  /** Every attempt to connect. */
  readonly upgrades: Upgrade[] = []
  /** Pings that arrived. */
  pings = 0
  /** Every call, as `method caseId`. */
  readonly calls: string[] = []
  readonly #server: ReturnType<typeof createServer>
  readonly #sockets = new Set<WebSocket>()

  private constructor(server: ReturnType<typeof createServer>, autoPong: boolean) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const upgrader = new WebSocketServer({ noServer: true, autoPong })
    server.on('upgrade', (request, socket, head) => {
      const { authorization = null } = request.headers
      this.upgrades.push({ url: request.url ?? '', authorization })
      const status = this.rules.admit(tokenOf(request))
      if (status === 101) upgrader.handleUpgrade(request, socket, head, (opened) => this.#take(opened))
      else socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
  }

  static async start({ answersPings = true } = {}): Promise<TestHub> {
    const server = createServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return new TestHub(server, answersPings)
  }

  get connections(): number {
    return this.#sockets.size
  }

  send(target: string, ...args: unknown[]): void {
    this.#sendAll({ type: MessageType.Invocation, target, arguments: args })
  }

  /** Says goodbye, and asks not to come back. */
  sayGoodbye(): void {
    this.#sendAll({ type: MessageType.Close, allowReconnect: false })
  }

  /** Its connections stay open, and nothing comes through them any more. */
  fallSilent(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  cut(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  #sendAll(message: HubMessage): void {
    for (const socket of this.#sockets) socket.send(protocol.writeMessage(message))
  }

  #take(socket: WebSocket): void {
    let shaken = false
    socket.on('message', (data) => {
      const text = data.toString()
      if (!shaken) socket.send(`{}${END}`)
      const rest = shaken ? text : text.slice(text.indexOf(END) + 1)
      if (!shaken) this.#sockets.add(socket)
      shaken = true
      for (const message of protocol.parseMessages(rest, NullLogger.instance)) {
        if (message.type === MessageType.Invocation) this.#carryOut(socket, message)
      }
    })
    socket.on('ping', () => {
      this.pings += 1
    })
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
  }

  #carryOut(socket: WebSocket, { invocationId, target, arguments: [caseId] }: InvocationMessage): void {
    this.calls.push(`${target} ${String(caseId)}`)
    const answer = this.rules.answer(target, caseId)
    if (answer === 'silence' || invocationId === undefined) return
    const outcome = answer === null ? { result: null } : { error: answer }
    socket.send(protocol.writeMessage({ type: MessageType.Completion, invocationId, ...outcome }))
  }
}

const tokenOf = (request: IncomingMessage): string | null =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null
