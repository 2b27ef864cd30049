import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { type JWK, type JWTPayload, jwtVerify } from 'jose'
import { RESOURCE } from './provider.ts'

/** Far more than anybody has at once; the oldest are forgotten, and looked at again when they come back. */
const REMEMBERED_MAX = 10_000

/** Reads access tokens. What a token says is remembered, since its signature never changes; whether it expired is not. */
export class AccessTokens {
  readonly #key: ReturnType<typeof createPublicKey>
  readonly #issuer: string
  readonly #remembered = new Map<string, JWTPayload>()

  constructor(signing: JWK, issuer: string) {
    this.#key = createPublicKey({ key: signing as JsonWebKey, format: 'jwk' })
    this.#issuer = issuer
  }

  /** What a token says; null when it is not one of ours, or has expired. */
  async read(token: string, milliseconds: number): Promise<JWTPayload | null> {
    const payload = this.#remembered.get(token) ?? (await this.#verify(token, milliseconds))
    return payload !== null && (payload.exp ?? 0) > Math.floor(milliseconds / 1000) ? payload : null
  }

  async #verify(token: string, milliseconds: number): Promise<JWTPayload | null> {
    const rules = { issuer: this.#issuer, audience: RESOURCE, currentDate: new Date(milliseconds) }
    const verified = await jwtVerify(token, this.#key, rules).catch(() => null)
    if (verified === null) return null
    this.#remembered.set(token, verified.payload)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest)
    return verified.payload
  }
}
