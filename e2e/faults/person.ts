import type { APIRequest } from '@playwright/test'
import type { Received } from '../support/received.ts'
import { PASSWORD } from '../support/sandbox-controls.ts'
import { openSession } from '../support/sign-in.ts'

type Json = Readonly<Record<string, unknown>>

/** What a person is told of a change; `lost` where the console itself did not answer. */
export interface CommandOutcome {
  readonly class: string
  /** Of a change that is refused: whether anything left the console. */
  readonly sent?: boolean
}

interface Reply {
  readonly draft?: { readonly id: string; readonly proof: { readonly expected: string } | null }
  readonly command?: { readonly outcome: CommandOutcome }
  readonly problem?: { readonly kind: string }
}

/** What was prepared, and what has to be typed to confirm it. */
interface Prepared {
  readonly id: string
  readonly proof: string | null
}

interface PageAnswer {
  readonly status: number
  readonly text: string
  readonly tookMs: number
}

const LOST: CommandOutcome = { class: 'lost' }
/** The console says that nothing was changed. */
const DENIED: CommandOutcome = { class: 'denied' }
export const HANDLE = '__Host-console.sid'

/** Somebody at a console, by the requests that its pages make. */
export class Person {
  readonly consoleUrl: string
  readonly #cookies = new Map<string, string>()
  /** All that a browser of this person could have read. */
  readonly received: Received[] = []

  private constructor(consoleUrl: string) {
    this.consoleUrl = consoleUrl
  }

  static async signIn(consoleUrl: string, email: string): Promise<Person> {
    const person = new Person(consoleUrl)
    const { csrfToken } = (await (await person.send('GET', '/api/auth/csrf')).json()) as { csrfToken: string }
    const form = new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true', email, password: PASSWORD })
    await person.send('POST', '/api/auth/callback/password', form.toString(), 'application/x-www-form-urlencoded')
    if (!person.#cookies.has(HANDLE)) throw new Error(`${email} is not signed in`)
    return person
  }

  /** By single sign-on, through the provider's own pages. */
  static async signInWithSso(request: APIRequest, consoleUrl: string, email: string): Promise<Person> {
    const context = await request.newContext({ baseURL: consoleUrl })
    await openSession(context, email)
    const { cookies } = await context.storageState()
    await context.dispose()
    const person = new Person(consoleUrl)
    const handle = cookies.find(({ name }) => name === HANDLE)?.value
    if (handle === undefined) throw new Error(`${email} is not signed in`)
    person.#cookies.set(HANDLE, handle)
    return person
  }

  get secrets(): readonly string[] {
    return [...this.#cookies.values()]
  }

  cookie(name: string): string {
    return this.#cookies.get(name) ?? ''
  }

  /** What a request of this person's pages carries. */
  get headers() {
    return {
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: this.consoleUrl,
      'sec-fetch-site': 'same-origin',
      'x-console': '1',
    }
  }

  /** The same session at another process of the same console. */
  at(consoleUrl: string): Person {
    const there = new Person(consoleUrl)
    for (const [name, value] of this.#cookies) there.#cookies.set(name, value)
    return there
  }

  async prepare(kind: string, params: Json): Promise<Prepared> {
    const response = await this.send('POST', '/api/commands', JSON.stringify({ kind, params }))
    const text = await response.text()
    const { draft } = JSON.parse(text) as Reply
    if (draft === undefined) throw new Error(`${kind} was not prepared: ${text}`)
    return { id: draft.id, proof: draft.proof?.expected ?? null }
  }

  /** Imports a bank statement: reads its preview and confirms it. Answers the statement's id. */
  async import({ name, buffer }: { readonly name: string; readonly buffer: Buffer }): Promise<string> {
    const hand = async (seal: string | null) => {
      const form = new FormData()
      form.set('file', new File([new Uint8Array(buffer)], name))
      if (seal !== null) form.set('seal', seal)
      const response = await this.send('POST', '/api/deposits/statements', form)
      return ((await response.json()) as { imported: { id: string; preview?: { seal: string } } }).imported
    }
    const { preview } = await hand(null)
    return (await hand(preview?.seal ?? null)).id
  }

  /** Sends what was prepared, once. */
  async confirm(id: string, given: Json = {}): Promise<CommandOutcome> {
    return await this.#told('POST', `/api/commands/${id}`, given)
  }

  /** Makes a change that takes no confirmation, under an id of its own. */
  async makeAtOnce(id: string, kind: string, params: Json): Promise<CommandOutcome> {
    return await this.#told('PUT', `/api/commands/${id}`, { kind, params })
  }

  /** What is known of a change, after a look at the service. */
  async look(id: string): Promise<CommandOutcome> {
    return await this.#told('GET', `/api/commands/${id}?look=now`)
  }

  /** A page as it comes from the server; its status alone where it is no success. */
  async page(path: string): Promise<string> {
    const { status, text } = await this.open(path)
    return status >= 200 && status < 300 ? text : String(status)
  }

  /** As `page`, with its status and time; status 0 where the console gave no whole answer. */
  async open(path: string): Promise<PageAnswer> {
    const began = performance.now()
    const came = await this.send('GET', path)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 0, text: '' }))
    return { ...came, tookMs: performance.now() - began }
  }

  async #told(method: string, path: string, body?: Json): Promise<CommandOutcome> {
    try {
      const response = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
      const { command, problem } = (await response.json()) as Reply
      return command?.outcome ?? (problem?.kind === 'console' && method !== 'GET' ? DENIED : LOST)
    } catch {
      return LOST
    }
  }

  async send(method: string, path: string, body?: BodyInit, type?: string): Promise<Response> {
    const json: Record<string, string> = typeof body === 'string' ? { 'content-type': type ?? 'application/json' } : {}
    const response = await fetch(this.consoleUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...this.headers, ...json },
      ...(body === undefined ? {} : { body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    this.#keep(`${method} ${path}`, response)
    return response
  }

  /** Of the answer a copy, so that the caller reads it as it is; one that is cut off stays as far as it came. */
  #keep(what: string, response: Response): void {
    const { 'set-cookie': _handle, ...headers } = Object.fromEntries(response.headers)
    this.received.push({ what: `headers of ${what}`, text: JSON.stringify(headers) })
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return
    response
      .clone()
      .text()
      .then((text) => this.received.push({ what: `body of ${what}`, text }))
      .catch(() => {})
  }
}
