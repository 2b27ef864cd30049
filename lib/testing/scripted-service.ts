import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PROBLEM_TYPE_PREFIX } from '#lib/contract/problem.ts'

/** What a request is answered with. `drop`: the connection is cut without an answer. */
export type Scripted =
  | {
      readonly status: number
      /** A function makes it from the body of the request. */
      readonly body: unknown
      /** By the service's clock; by this machine's when left out. */
      readonly date?: Date
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'drop'

export const ok = (data: unknown, status = 200): Scripted => ({ status, body: { data } })

export const refused = (status: number, code: string): Scripted => ({
  status,
  body: { type: `${PROBLEM_TYPE_PREFIX}${code}`, title: 'As scripted.', status, traceId: 'trace-of-the-script' },
})

/** One request that arrived. */
export interface Arrived {
  readonly what: string
  /** The step-up grant that came along. */
  readonly grant: string | null
  readonly body: unknown
}

/** A service that answers as it is told, request by request, and counts what arrives. */
export class ScriptedService {
  readonly #server: Server
  #script = new Map<string, Scripted[]>()
  /** Runs before a request is answered, if it is set. */
  before: (what: string) => Promise<void> = async () => {}
  readonly arrived: Arrived[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<ScriptedService> {
    const server = createServer()
    const service = new ScriptedService(server)
    server.on('request', (request, response) => void service.#answer(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on `METHOD /path` is answered by these in turn; by the last of them for ever. */
  on(what: string, ...answers: readonly Scripted[]): void {
    this.#script.set(what, [...answers])
  }

  /** As if nothing had happened yet. */
  reset(): void {
    this.#script = new Map()
    this.arrived.length = 0
    this.before = async () => {}
  }

  of(what: string): readonly Arrived[] {
    return this.arrived.filter((request) => request.what === what)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString('utf8')
    const what = `${request.method} ${request.url}`
    const grant = request.headers['x-step-up']
    const body = text === '' ? null : (JSON.parse(text) as unknown)
    this.arrived.push({ what, grant: typeof grant === 'string' ? grant : null, body })
    const answers = this.#script.get(what) ?? [refused(404, 'script::nothing')]
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    await this.before(what)
    if (answer === 'drop' || answer === undefined) return void request.socket.destroy()
    const date = (answer.date ?? new Date()).toUTCString()
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      connection: 'close',
      date,
      ...answer.headers,
    })
    response.end(JSON.stringify(typeof answer.body === 'function' ? answer.body(body) : answer.body))
  }
}
