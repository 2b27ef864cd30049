import { PASSWORD } from './sandbox-controls.ts'

let registered = 0

interface Payment {
  readonly note?: string
  readonly useEscrow?: boolean
}

/** A wallet holder's own calls, over HTTP. */
export class Holder {
  readonly id: string
  readonly #url: string
  readonly #token: string

  private constructor(url: string, id: string, token: string) {
    this.#url = url
    this.id = id
    this.#token = token
  }

  /** Somebody new, with an empty history: what a test counts is its own. */
  static async register(sandboxUrl: string): Promise<Holder> {
    registered += 1
    const username = `holder${registered}`
    const email = `${username}@example.com`
    const { id } = await post<{ id: string }>(`${sandboxUrl}/api/v1/Users/register`, {
      firstName: 'Holder',
      lastName: 'Of a test',
      email,
      phoneNumber: `+501700${String(registered).padStart(4, '0')}`,
      username,
      password: PASSWORD,
    })
    return await Holder.signIn(sandboxUrl, email, id)
  }

  static async signIn(sandboxUrl: string, email: string, id: string): Promise<Holder> {
    const login = `${sandboxUrl}/api/v1/Users/login`
    const { accessToken } = await post<{ accessToken: string }>(login, { email, password: PASSWORD })
    return new Holder(sandboxUrl, id, accessToken)
  }

  /** Announces a deposit; answers its reference. */
  async deposit(amount: number, note = ''): Promise<string> {
    const { referenceId } = await this.#post('/api/v1/Transaction/deposit', { amount, note })
    return referenceId
  }

  /** Announces as many deposits, of 1, 2, 3 and so on; answers their references, newest first. */
  async deposits(count: number): Promise<readonly string[]> {
    const references: string[] = []
    for (let amount = 1; amount <= count; amount += 1) references.unshift(await this.deposit(amount))
    return references
  }

  async pay(recipientId: string, amount: number, { note = '', useEscrow = false }: Payment = {}): Promise<string> {
    const { referenceId } = await this.#post('/api/v1/Transaction/p2p', { recipientId, amount, note, useEscrow })
    return referenceId
  }

  /** Writes in the thread of a case, as one of its parties. */
  async write(caseId: string, body: string): Promise<void> {
    await this.#post(`/api/v1/Dispute/${caseId}/messages`, { body })
  }

  #post(path: string, body: unknown): Promise<{ referenceId: string }> {
    return post(this.#url + path, body, this.#token)
  }
}

async function post<Data>(url: string, body: unknown, token?: string): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Data }).data
}
