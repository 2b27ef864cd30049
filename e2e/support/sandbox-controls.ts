/** The sandbox's controls, and a wallet holder's own calls, over HTTP. */
export class SandboxControls {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  reset(): Promise<unknown> {
    return this.#call('POST', '/sandbox/reset')
  }

  advance(advanceSeconds: number): Promise<unknown> {
    return this.#call('POST', '/sandbox/clock', { advanceSeconds })
  }

  fault(fault: { method: string; path: string; times?: number; effect: unknown }): Promise<unknown> {
    return this.#call('POST', '/sandbox/faults', fault)
  }

  /** How many faults still wait for a request: one fewer as soon as it has arrived, long before it is answered. */
  async faultsWaiting(): Promise<number> {
    const { faults } = (await this.#call('GET', '/sandbox/faults')) as { faults: readonly unknown[] }
    return faults.length
  }

  clearFaults(): Promise<unknown> {
    return this.#call('DELETE', '/sandbox/faults')
  }

  /** Ends a user's access tokens now; with `refresh` their refresh tokens as well. */
  expireTokens(userId: string, refresh = false): Promise<unknown> {
    return this.#call('POST', '/sandbox/tokens/expire', { userId, refresh })
  }

  async balances(userId: string): Promise<{ totalBalance: string; availableBalance: string }> {
    return (await this.#call('GET', `/sandbox/balances/${userId}`)) as {
      totalBalance: string
      availableBalance: string
    }
  }

  /** The code that a person's authenticator shows now. */
  async code(userId: string): Promise<string> {
    return ((await this.#call('GET', `/sandbox/totp/${userId}`)) as { code: string }).code
  }

  /** How often something arrived at the service since the latest reset of `since`. */
  async arrived(method: string, path: string): Promise<number> {
    const { requests } = (await this.#call('GET', '/sandbox/requests')) as {
      requests: readonly { method: string; path: string }[]
    }
    return requests.filter((request) => request.method === method && request.path === path).length
  }

  /** Announces a deposit as a wallet holder does; answers its reference. */
  async announceDeposit(email: string, amount: string, note = ''): Promise<string> {
    const signedIn = (await this.#call('POST', '/api/v1/Users/login', { email, password: PASSWORD })) as {
      data: { accessToken: string }
    }
    const response = await fetch(`${this.#url}/api/v1/Transaction/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${signedIn.data.accessToken}` },
      body: `{"amount":${amount},"note":${JSON.stringify(note)}}`,
    })
    const { data } = (await response.json()) as { data: { referenceId: string } }
    return data.referenceId
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    return await response.json()
  }
}

/** Everyone's password in the sandbox. */
export const PASSWORD = 'Sandbox-Pass-1'

export const ADMIN = '00000000-0000-4000-8000-000000000003'
export const OPERATOR_ID = '00000000-0000-4000-8000-000000000001'
export const ANA = '00000000-0000-4000-8000-000000000011'
