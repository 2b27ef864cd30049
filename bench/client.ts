import { Agent, request } from 'node:http'
import { SEED_PASSWORD } from '#sandbox/seed/people.ts'

/** So many clients at once, each with a connection that it keeps. */
export const CLIENTS = 16

export interface Call {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}

/** What a benchmark looks into: parsed JSON of a known shape. */
interface Data {
  readonly accessToken: string
  readonly id: string
  readonly referenceId: string
  readonly totalCount: number
  readonly transactions: readonly { readonly referenceId: string; readonly debit: string }[]
  readonly cases: readonly { readonly id: string; readonly status: string }[]
  readonly messages: readonly { readonly body: string; readonly createdAt: string }[]
}

/** Sends requests on connections that stay open. An answer that is no success is an error: a benchmark measures work. */
export class Client {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async ask(call: Call): Promise<Data> {
    const { status, text } = await this.#send(call)
    if (status !== 200) throw new Error(`${call.path} answered ${status}: ${text}`)
    return (JSON.parse(text) as { readonly data: Data }).data
  }

  async tokenOf(email: string): Promise<string> {
    const body = { email, password: SEED_PASSWORD }
    return (await this.ask({ method: 'POST', path: '/api/v1/Users/login', body })).accessToken
  }

  #send({ method = 'GET', path, token, body }: Call): Promise<{ readonly status: number; readonly text: string }> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    }
    const { hostname, port } = this.#url
    return new Promise((done, fail) => {
      const outgoing = request({ hostname, port, agent: this.#agent, method, path, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
        response.on('error', fail)
      })
      outgoing.on('error', fail)
      outgoing.end(sent)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
