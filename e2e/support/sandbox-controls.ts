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

  /** Requests that a `hold` keeps from their operation until `clearFaults`. */
  async heldRequests(): Promise<number> {
    return ((await this.#call('GET', '/sandbox/faults')) as { heldRequests: number }).heldRequests
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

  /**
   * The first code that is taken now: after one was used, the next. Before that it may be the one of the half minute before,
   * which can end at any moment; `shownCode` is the one to begin with.
   */
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

  /** What somebody's authenticator shows now: good for this half minute and the next. */
  async shownCode(email: string): Promise<string> {
    const page = await (await fetch(`${this.#url}/sandbox/authenticator`)).text()
    const code = new RegExp(`<td>${email}</td><td class="id">(\\d{6})</td>`).exec(page)?.[1]
    if (code === undefined) throw new Error(`${email} has no authenticator`)
    return code
  }

  /** A wallet holder of whom nothing is in the ledger yet. */
  async newHolder(username: string): Promise<{ email: string; id: string }> {
    const email = `${username}@example.com`
    const name = { firstName: 'Nova', lastName: 'Holder', phoneNumber: '+5016001234' }
    const { data } = (await this.#call('POST', '/api/v1/Users/register', {
      ...name,
      email,
      username,
      password: PASSWORD,
    })) as { data: { id: string } }
    return { email, id: data.id }
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

  /** Ana pays Ben in escrow; answers the reference of the transaction. */
  async payInEscrow(): Promise<string> {
    const transfer = { recipientId: BEN, amount: 20, useEscrow: true }
    const token = await this.tokenOf('ana@example.com')
    const { data } = (await this.#call('POST', '/api/v1/Transaction/p2p', transfer, token)) as {
      data: { referenceId: string }
    }
    return data.referenceId
  }

  /** Ana disputes what she paid Ben; answers the case's id. */
  async raiseCase(referenceId?: string): Promise<string> {
    const reason = 'The goods never came.'
    const raised = { referenceId: referenceId ?? (await this.payInEscrow()), raisedByUserId: ANA, reason }
    return ((await this.#call('POST', '/sandbox/disputes', raised)) as { id: string }).id
  }

  /** The state of a transaction, as the service tells it. */
  async stateOf(referenceId: string): Promise<string> {
    const path = `/api/v1/Transaction/${encodeURIComponent(referenceId)}`
    const { data } = (await this.#call('GET', path, undefined, await this.tokenOf('admin@example.com'))) as {
      data: { state: string }
    }
    return data.state
  }

  /** Confirms a deposit at the service itself, past every console. */
  async confirmElsewhere(referenceId: string): Promise<void> {
    const body = { referenceId, bankReference: `ELSEWHERE-${referenceId}` }
    await this.#call('POST', '/api/v1/Transaction/deposit/confirm', body, await this.tokenOf('operator@example.com'))
  }

  /** Moves a transaction as somebody else's systems would. */
  async moveTransaction(
    referenceId: string,
    move: 'block' | 'unblock' | 'fail' | 'reverse' | 'dispute',
  ): Promise<void> {
    await this.#call('POST', '/sandbox/transactions', { referenceId, move })
  }

  /** Writes in the thread of a case, as one of its parties. */
  async postMessage(caseId: string, email: string, body: string): Promise<void> {
    await this.#call('POST', `/api/v1/Dispute/${caseId}/messages`, { body }, await this.tokenOf(email))
  }

  /** Decides a case as an arbitrator who is not enrolled in two-factor security, and passes without a code. */
  async resolveCase(caseId: string): Promise<void> {
    const decision = { releaseToRecipient: true, resolutionReason: 'It was delivered.' }
    await this.#call('POST', `/api/v1/Dispute/${caseId}/resolve`, decision, await this.tokenOf('newcomer@example.com'))
  }

  /** The whole thread of a case, in the order in which the service gives it. */
  async messagesOf(caseId: string): Promise<readonly ThreadMessage[]> {
    const token = await this.tokenOf('admin@example.com')
    const found: ThreadMessage[] = []
    for (let page = 1; ; page += 1) {
      const path = `/api/v1/Dispute/${caseId}/messages?page=${page}&pageSize=100`
      const { data } = (await this.#call('GET', path, undefined, token)) as {
        data: { messages: readonly ThreadMessage[]; totalCount: number }
      }
      found.push(...data.messages)
      if (found.length >= data.totalCount) return found
    }
  }

  async bodiesOf(caseId: string): Promise<readonly string[]> {
    return (await this.messagesOf(caseId)).map(({ body }) => body)
  }

  /** Every case with this status, the newest first; without their threads. */
  async casesThatAre(status: 'OPEN' | 'RESOLVED'): Promise<readonly ListedCase[]> {
    const path = `/api/v1/Dispute?all=true&status=${status}&pageSize=100`
    const { data } = (await this.#call('GET', path, undefined, await this.tokenOf('admin@example.com'))) as {
      data: { cases: readonly ListedCase[] }
    }
    return data.cases
  }

  /** Cuts every connection of the hub, which answers 503 for so long. */
  async dropHub(downMs: number): Promise<void> {
    await this.#call('POST', '/sandbox/hub/drop', { downMs })
  }

  /** How the token came, of every attempt to connect to the hub. */
  async hubTokens(): Promise<readonly string[]> {
    const { requests } = (await this.#call('GET', '/sandbox/requests')) as {
      requests: readonly { path: string; hubToken: string }[]
    }
    return requests.filter(({ path }) => path === '/hubs/disputes').map(({ hubToken }) => hubToken)
  }

  /** The cards of a holder, as they see them in their own app. */
  async cardsOf(email: string): Promise<readonly HeldCard[]> {
    const { data } = (await this.#call('GET', '/api/v1/cards', undefined, await this.tokenOf(email))) as {
      data: { cards: readonly HeldCard[] }
    }
    return data.cards
  }

  /** A card with its number, as its holder sees it in their own app. */
  async cardOf(email: string, id: string): Promise<HeldCard & { readonly cardNumber: string }> {
    const path = `/api/v1/cards/${id}`
    const { data } = (await this.#call('GET', path, undefined, await this.tokenOf(email))) as {
      data: HeldCard & { readonly cardNumber: string }
    }
    return data
  }

  /** Issues a card past the console; answers the card. */
  async issueElsewhere(userId: string): Promise<HeldCard> {
    const card = { userId, cardType: 1, printedName: 'From elsewhere' }
    const { data } = (await this.#call('POST', '/api/v1/cards', card, await this.tokenOf('admin@example.com'))) as {
      data: HeldCard
    }
    return data
  }

  async tokenOf(email: string): Promise<string> {
    const { data } = (await this.#call('POST', '/api/v1/Users/login', { email, password: PASSWORD })) as {
      data: { accessToken: string }
    }
    return data.accessToken
  }

  async #call(method: string, path: string, body?: unknown, token?: string): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        // On a busy machine, a connection that is kept may be closed just as it is used again.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    return await response.json()
  }
}

interface ThreadMessage {
  readonly id: string
  readonly body: string
}

interface ListedCase {
  readonly id: string
  readonly raisedByUserId: string
  readonly resolutionOutcome: string | null
}

export interface HeldCard {
  readonly id: string
  readonly last4: string
  readonly status: string
  readonly printedName: string
}

/** Everyone's password in the sandbox. */
export const PASSWORD = 'Sandbox-Pass-1'

export const ADMIN = '00000000-0000-4000-8000-000000000003'
export const ARBITRATOR_ID = '00000000-0000-4000-8000-000000000002'
export const OPERATOR_ID = '00000000-0000-4000-8000-000000000001'
export const BEN = '00000000-0000-4000-8000-000000000012'
export const ANA = '00000000-0000-4000-8000-000000000011'
