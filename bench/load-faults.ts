import { endpoints } from '#lib/contract/endpoints.ts'

/** Of the service's answers so many are spoilt. */
const SHARE = 0.05
/** Never used up: what is left says how many were met. */
const TIMES = 1_000_000

/** Nothing is done, or it is done late. */
const BEFORE: readonly unknown[] = [{ status: 503, code: 'core::out', title: 'Out' }, { delayMs: 2_000 }, 'drop-before']
/** It is done, and the answer that says so is lost. */
const AFTER: readonly unknown[] = ['drop-after', 'garble']
const SLOW_DOWN = { status: 429, code: 'core::rate', title: 'Slow down', retryAfter: 1 }

/** A refresh token is good once: where the answer to it is lost, the session is over by the service's rules. */
const SPENDS_A_TOKEN = ['/api/v1/Users/refresh-token', '/api/v1/Users/login']

interface Place {
  readonly method: string
  readonly path: string
}

const PLACES: readonly Place[] = [
  ...Object.values(endpoints).flatMap((group) => Object.values(group) as Place[]),
  { method: 'GET', path: '/hubs/disputes' },
]

interface Waiting {
  readonly faults: readonly { readonly times: number }[]
}

interface Logged {
  readonly requests: readonly { readonly sequence: number; readonly method: string; readonly path: string }[]
}

/** The sandbox's own faults, and what arrived at it. */
export class LoadFaults {
  readonly #url: string
  #latest = 0
  calls = 0
  /** How often each card's block arrived. */
  readonly blocks = new Map<string, number>()

  constructor(serviceUrl: string) {
    this.#url = serviceUrl
  }

  /** From now on so many calls of each kind are spoilt. What came before is not counted. */
  async begin(): Promise<void> {
    await this.look()
    this.calls = 0
    for (const { method, path } of PLACES) {
      const effects = SPENDS_A_TOKEN.includes(path) ? BEFORE : [...BEFORE, ...AFTER, SLOW_DOWN]
      for (const effect of effects) {
        const body = { method, path, times: TIMES, share: SHARE / effects.length, effect }
        await this.#control('POST', '/faults', body)
      }
    }
  }

  /** How many calls were spoilt. */
  async met(): Promise<number> {
    const { faults } = (await this.#control('GET', '/faults')) as Waiting
    return faults.reduce((sum, { times }) => sum + TIMES - times, 0)
  }

  async end(): Promise<void> {
    await this.#control('DELETE', '/faults')
  }

  /** Reads what arrived since the last look: the sandbox keeps the latest requests only. */
  async look(): Promise<void> {
    const { requests } = (await this.#control('GET', `/requests?after=${this.#latest}`)) as Logged
    this.#latest = requests.at(-1)?.sequence ?? this.#latest
    this.calls += requests.length
    for (const { method, path } of requests) {
      if (method === 'POST' && path.endsWith('/block')) this.blocks.set(path, (this.blocks.get(path) ?? 0) + 1)
    }
  }

  async #control(method: string, path: string, body?: unknown): Promise<unknown> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${this.#url}/sandbox${path}`, { method, ...sent })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return await response.json()
  }
}
