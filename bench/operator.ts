import { Agent, type IncomingMessage, request } from 'node:http'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import { SEED_PASSWORD } from '#sandbox/seed/people.ts'

const HANDLE_COOKIE = '__Host-console.sid'

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly type?: string
  readonly body?: Buffer | string
  /** Which compressions may come; none when left out. */
  readonly encoding?: string
}

/** A person at the console: one session, the requests that the console's own pages make. */
export class Operator {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true })
  readonly #cookies = new Map<string, string>()

  private constructor(consoleUrl: string) {
    this.#url = new URL(consoleUrl)
  }

  static visitor(consoleUrl: string): Operator {
    return new Operator(consoleUrl)
  }

  static async signIn(consoleUrl: string, email: string): Promise<Operator> {
    const operator = new Operator(consoleUrl)
    const { csrfToken } = JSON.parse(await operator.ask('/api/auth/csrf')) as { csrfToken: string }
    const form = new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true', email, password: SEED_PASSWORD })
    const answer = await operator.ask('/api/auth/callback/password', {
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      body: form.toString(),
    })
    if (!operator.#cookies.has(HANDLE_COOKIE)) throw new Error(`${email} was not let in: ${answer}`)
    return operator
  }

  /** The whole answer. One that is no success is an error: a benchmark measures work. */
  async ask(path: string, options: RequestOptions = {}): Promise<string> {
    const response = await this.#send(path, options)
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`)
    return text
  }

  /** How long a page takes, asked for as a browser does: compressed. Tells when its first byte is there. Milliseconds. */
  async time(path: string, first: () => void = () => {}): Promise<{ firstByte: number; lastByte: number }> {
    const began = performance.now()
    const response = await this.#send(path, { encoding: 'gzip, deflate, br, zstd' })
    let firstByte = 0
    response.once('data', () => {
      firstByte = performance.now() - began
      first()
    })
    await new Promise<void>((done, fail) => response.once('end', done).once('error', fail))
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
    return { firstByte, lastByte: performance.now() - began }
  }

  /** Follows topics in a stream of its own; resolves once an event is the one that is waited for, with how to end it. */
  async follow(
    topics: readonly string[],
    isLast: (event: StreamEvent) => boolean,
    heard: (event: StreamEvent) => void = () => {},
  ): Promise<() => void> {
    const path = '/api/stream'
    const body = JSON.stringify({ topics })
    const response = await this.#send(path, { method: 'POST', type: 'application/json', body })
    let text = ''
    await new Promise<void>((done, fail) => {
      response.on('data', (part: Buffer) => {
        const blocks = (text + part).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data === undefined) continue
          const event = JSON.parse(data) as StreamEvent
          heard(event)
          if (isLast(event)) done()
        }
      })
      response.once('end', () => fail(new Error(`${path} ended with ${response.statusCode}: ${text.slice(-200)}`)))
      response.on('error', fail)
    })
    return () => response.destroy()
  }

  #send(path: string, { method = 'GET', type, body, encoding }: RequestOptions): Promise<IncomingMessage> {
    const headers = {
      host: this.#url.host,
      origin: this.#url.origin,
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    }
    const { port } = this.#url
    return new Promise((done, fail) => {
      const outgoing = request(
        { hostname: '127.0.0.1', port, agent: this.#agent, method, path, headers },
        (response) => {
          for (const cookie of response.headers['set-cookie'] ?? []) {
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
            this.#cookies.set(name, value)
          }
          done(response)
        },
      )
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
