import { PASSWORD } from '../support/sandbox-controls.ts'

type Json = Readonly<Record<string, unknown>>

/** What a person is told of a change; `lost` where the console itself did not answer. */
export interface Told {
  readonly class: string
  /** Of a change that is refused: whether anything left the console. */
  readonly sent?: boolean
}

interface Reply {
  readonly ok: boolean
  readonly draft?: { readonly id: string }
  readonly command?: { readonly outcome: Told }
}

const LOST: Told = { class: 'lost' }

/** Somebody at a console, by the requests that its pages make. */
export class Person {
  readonly #consoleUrl: string
  readonly #cookies = new Map<string, string>()

  private constructor(consoleUrl: string) {
    this.#consoleUrl = consoleUrl
  }

  static async signIn(consoleUrl: string, email: string): Promise<Person> {
    const person = new Person(consoleUrl)
    const { csrfToken } = (await (await person.send('GET', '/api/auth/csrf')).json()) as { csrfToken: string }
    const form = new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true', email, password: PASSWORD })
    await person.send('POST', '/api/auth/callback/password', form.toString(), 'application/x-www-form-urlencoded')
    if (!person.#cookies.has('__Host-console.sid')) throw new Error(`${email} is not signed in`)
    return person
  }

  get secrets(): readonly string[] {
    return [...this.#cookies.values()]
  }

  /** As a browser sends them. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The same session at another process of the same console. */
  at(consoleUrl: string): Person {
    const there = new Person(consoleUrl)
    for (const [name, value] of this.#cookies) there.#cookies.set(name, value)
    return there
  }

  /** Prepares the confirmation of a deposit; answers the change's id. */
  async prepare(referenceId: string, statementAmount: string): Promise<string> {
    const params = { referenceId, bankReference: `FAULT ${referenceId.slice(-24)}`, statementAmount }
    const { draft } = await this.#ask('POST', '/api/commands', { kind: 'deposit.confirm', params })
    if (draft === undefined) throw new Error('the change was not prepared')
    return draft.id
  }

  /** A change that needs no confirmation. */
  async act(kind: string, params: Json): Promise<void> {
    const { draft } = await this.#ask('POST', '/api/commands', { kind, params })
    if (draft === undefined) throw new Error(`${kind} was not prepared`)
    await this.confirm(draft.id)
  }

  /** Gives a bank statement; answers its id. */
  async import({ name, buffer }: { readonly name: string; readonly buffer: Buffer }): Promise<string> {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(buffer)], name))
    const { imported } = (await (await this.send('POST', '/api/deposits/statements', form)).json()) as {
      imported: { id: string }
    }
    return imported.id
  }

  /** Sends what was prepared, once. */
  async confirm(id: string): Promise<Told> {
    return await this.#told('POST', `/api/commands/${id}`, {})
  }

  /** What is known of a change, after a look at the service. */
  async look(id: string): Promise<Told> {
    return await this.#told('GET', `/api/commands/${id}?look=now`)
  }

  /** A page as it comes from the server; its status alone where it is no success. */
  async page(path: string): Promise<string> {
    const response = await this.send('GET', path)
    return response.ok ? await response.text() : String(response.status)
  }

  async #told(method: string, path: string, body?: Json): Promise<Told> {
    const reply = await this.#ask(method, path, body).catch(() => null)
    return reply?.command?.outcome ?? LOST
  }

  async #ask(method: string, path: string, body?: Json): Promise<Reply> {
    const response = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    return (await response.json()) as Reply
  }

  /** Any request, as a page of the console sends it. */
  async send(method: string, path: string, body?: string | FormData, type = 'application/json'): Promise<Response> {
    const response = await fetch(this.#consoleUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: this.cookie,
        origin: this.#consoleUrl,
        'sec-fetch-site': 'same-origin',
        'x-console': '1',
        ...(typeof body === 'string' ? { 'content-type': type } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}
