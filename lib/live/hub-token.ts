import 'server-only'
import type { AccessToken } from '#lib/session/vault/access-token.ts'

/** `rejected`: renew this token whatever its age. */
export type TokenSource = (rejected: string | null) => Promise<AccessToken>

/** Renews a token after a 401, but only once. */
export class HubToken {
  readonly #source: TokenSource
  #current: string | null = null
  #refused: string | null = null
  #renewed: string | null = null

  constructor(source: TokenSource) {
    this.#source = source
  }

  /** Null: none now. `over`: never again. Never throws. */
  async next(): Promise<string | null | 'over'> {
    const rejected = this.#refused !== this.#renewed ? this.#refused : null
    const access = await this.#ask(rejected)
    if (!access.ok) return access.why === 'over' ? 'over' : null
    if (rejected !== null) this.#renewed = access.token
    this.#refused = null
    this.#current = access.token
    return access.token
  }

  refused(): void {
    this.#refused = this.#current
  }

  async isOld(): Promise<boolean> {
    const access = await this.#ask(null)
    return access.ok && access.token !== this.#current
  }

  async #ask(rejected: string | null): Promise<AccessToken> {
    try {
      return await this.#source(rejected)
    } catch {
      return { ok: false, why: 'unavailable' }
    }
  }
}
