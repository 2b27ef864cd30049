import 'server-only'
import type { AccessToken } from '#lib/session/vault/access-token.ts'

/** Gives the access token to use now; a rejected one is renewed whatever its age. */
export type TokenSource = (rejected: string | null) => Promise<AccessToken>

/**
 * The token of the next connection. One that the hub answered 401 to is renewed, once: when it refuses the renewed one as
 * well, renewing again helps nobody.
 */
export class HubToken {
  readonly #source: TokenSource
  #current: string | null = null
  #refused: string | null = null
  #renewed: string | null = null

  constructor(source: TokenSource) {
    this.#source = source
  }

  /** Null when there is none now; `over` when there will be none any more. Never throws. */
  async next(): Promise<string | null | 'over'> {
    const rejected = this.#refused !== this.#renewed ? this.#refused : null
    const access = await this.#ask(rejected)
    if (!access.ok) return access.why === 'over' ? 'over' : null
    if (rejected !== null) this.#renewed = access.token
    this.#refused = null
    this.#current = access.token
    return access.token
  }

  /** The hub answered 401 to the latest one. */
  refused(): void {
    this.#refused = this.#current
  }

  /** Whether a connection made now would use another token than the latest one. */
  async isOld(): Promise<boolean> {
    const access = await this.#ask(null)
    return access.ok && access.token !== this.#current
  }

  async #ask(rejected: string | null): Promise<AccessToken> {
    try {
      return await this.#source(rejected)
    } catch {
      // The console's own store is out.
      return { ok: false, why: 'unavailable' }
    }
  }
}
