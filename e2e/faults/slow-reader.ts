import http, { type IncomingMessage } from 'node:http'
import type { Person } from './person.ts'

/** A browser that opens the event stream, and reads from it only in `readUntil`. */
export class SlowReader {
  readonly #response: IncomingMessage
  /** Everything read so far. */
  text = ''

  private constructor(response: IncomingMessage) {
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      this.text += part
    })
    response.pause()
  }

  static open(person: Person, topic: string): Promise<SlowReader> {
    const headers = { ...person.headers, 'content-type': 'application/json' }
    return new Promise((done, fail) => {
      const url = `${person.consoleUrl}/api/stream`
      const request = http.request(url, { method: 'POST', headers, agent: false }, (response) =>
        done(new SlowReader(response)),
      )
      request.on('error', fail)
      request.end(JSON.stringify({ topics: [topic] }))
    })
  }

  /** The console's id of this stream; empty before it was read. */
  get id(): string {
    return /"type":"open","id":"([^"]+)"/.exec(this.text)?.[1] ?? ''
  }

  /** Reads until the text fits or the stream ends. Returns whether it fits. */
  async readUntil(fits: (text: string) => boolean, withinMs: number): Promise<boolean> {
    const until = Date.now() + withinMs
    this.#response.resume()
    while (!fits(this.text) && !this.#response.readableEnded && Date.now() < until) {
      await new Promise((done) => setTimeout(done, 10))
    }
    this.#response.pause()
    return fits(this.text)
  }

  leave(): void {
    this.#response.destroy()
  }
}
