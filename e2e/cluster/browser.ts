import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { Stream } from './stream.ts'

/** One browser: its session, and one HTTP/2 connection to the balancer for its pages and for the streams of its tabs. */
export class Browser {
  readonly #url: string
  readonly #cookie: string
  #connection: ClientHttp2Session | null = null
  readonly streams: Stream[] = []

  constructor(url: string, cookie: string) {
    this.#url = url
    this.#cookie = cookie
  }

  /** A page as it comes from the server; its status alone where it is no success. */
  async page(path: string): Promise<string> {
    const { status, body } = await this.ask('GET', path)
    const page = await text(body)
    return status === 200 ? page : String(status)
  }

  /** Follows topics for as long as the browser is open, as a page of the console does. */
  follow(topics: readonly string[]): Stream {
    const stream = new Stream(() => this.ask('POST', '/api/stream', { topics }))
    this.streams.push(stream)
    return stream
  }

  close(): void {
    for (const stream of this.streams) stream.close()
    this.#connection?.destroy()
  }

  /** Answers as soon as the head of the answer is there. */
  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: ClientHttp2Stream }> {
    const sent = this.#connected().request({
      ':method': method,
      ':path': path,
      cookie: this.#cookie,
      origin: this.#url,
      'sec-fetch-site': 'same-origin',
      'x-console': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
    sent.setEncoding('utf8')
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return new Promise((done, fail) => {
      sent.once('response', ({ ':status': status }) => done({ status: Number(status), body: sent }))
      sent.on('error', fail)
      sent.once('close', () => fail(new Error(`${path} was cut off`)))
    })
  }

  #connected(): ClientHttp2Session {
    if (this.#connection === null || this.#connection.closed || this.#connection.destroyed) {
      this.#connection = connect(this.#url)
      this.#connection.on('error', () => {})
    }
    return this.#connection
  }
}
