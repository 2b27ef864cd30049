import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { type JWK, type JWTPayload, jwtVerify } from 'jose'
import { sql } from 'kysely'
import type Provider from 'oidc-provider'
import type { World } from '#sandbox/world/world.ts'
import { WALLET_CLIENT_ID } from './clients.ts'
import { RESOURCE, resourceServer } from './provider.ts'
import type { TokenUser } from './users.ts'

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
}

/** `endsMs`: milliseconds since 1970, by the machine's clock. */
export interface Verified {
  readonly user: TokenUser
  readonly endsMs: number
}

export interface Tokens {
  issue(userId: string): Promise<TokenPair>
  /** Null when the token is unknown, expired or spent. A spent one ends its whole family. */
  refresh(refreshToken: string): Promise<TokenPair | null>
  verify(accessToken: string): Promise<Verified | null>
  expire(userId: string, refresh: boolean): Promise<boolean>
}

type RefreshToken = InstanceType<Provider['RefreshToken']>

export function createTokens(world: World, provider: Provider, signing: JWK, accessTokenSeconds: number): Tokens {
  const accessTokens = new AccessTokens(signing, provider.issuer)

  async function pair(grantId: string, userId: string, replaced?: RefreshToken): Promise<TokenPair> {
    const client = await provider.Client.find(WALLET_CLIENT_ID)
    if (client === undefined) throw new Error('the wallet client is not registered')
    const granted = { client, accountId: userId, grantId, gty: 'password', scope: 'openid core' }
    const refreshToken = new provider.RefreshToken({
      ...granted,
      resource: RESOURCE,
      rotations: (replaced?.rotations ?? -1) + 1,
    })
    const accessToken = new provider.AccessToken(granted)
    accessToken.resourceServer = new provider.ResourceServer(RESOURCE, resourceServer(accessTokenSeconds))
    return {
      refreshToken: await refreshToken.save(),
      accessToken: await accessToken.save(),
      expiresIn: accessTokenSeconds,
    }
  }

  return {
    async issue(userId) {
      const grant = new provider.Grant({ clientId: WALLET_CLIENT_ID, accountId: userId })
      grant.addOIDCScope('openid')
      grant.addResourceScope(RESOURCE, 'core')
      return await pair(await grant.save(), userId)
    },

    async refresh(value) {
      const token = await provider.RefreshToken.find(value, { ignoreExpiration: true })
      if (token === undefined || token.clientId !== WALLET_CLIENT_ID || token.grantId === undefined) return null
      const { grantId, accountId } = token
      if (token.consumed || token.isExpired || !(await consumed(token))) {
        if (!token.isExpired) await endFamily(provider, grantId)
        return null
      }
      return await pair(grantId, accountId, token)
    },

    async verify(accessToken) {
      const payload = await accessTokens.read(accessToken, world.wallMilliseconds())
      const user = payload?.sub === undefined ? undefined : await world.tokenUsers.find(world.db, payload.sub)
      const valid = user?.may_sign_in && user.token_generation === payload?.generation
      return valid ? { user, endsMs: Number(payload?.exp) * 1000 } : null
    },

    async expire(userId, refresh) {
      const expired = await world.db
        .updateTable('app_user')
        .set((row) => ({ token_generation: row('token_generation', '+', 1) }))
        .where('id', '=', userId)
        .executeTakeFirst()
      world.tokenUsers.forgetAll()
      if (refresh) await forgetRefreshTokens(world, userId)
      return expired.numUpdatedRows === 1n
    },
  }
}

async function consumed(token: RefreshToken): Promise<boolean> {
  try {
    await token.consume()
    return true
  } catch {
    return false
  }
}

/** A reused refresh token means that someone has a copy, so the whole family ends. */
async function endFamily(provider: Provider, grantId: string): Promise<void> {
  await provider.RefreshToken.revokeByGrantId(grantId)
  await provider.Grant.adapter.destroy(grantId)
}

async function forgetRefreshTokens(world: World, userId: string): Promise<void> {
  await world.db
    .deleteFrom('oidc_record')
    .where('model', '=', 'RefreshToken')
    .where(sql<string>`payload::jsonb ->> 'accountId'`, '=', userId)
    .execute()
}

const REMEMBERED_MAX = 10_000

/** Caches verified claims, since a signature stays valid. Expiry is checked on every call. */
class AccessTokens {
  readonly #key: ReturnType<typeof createPublicKey>
  readonly #issuer: string
  readonly #remembered = new Map<string, JWTPayload>()

  constructor(signing: JWK, issuer: string) {
    this.#key = createPublicKey({ key: signing as JsonWebKey, format: 'jwk' })
    this.#issuer = issuer
  }

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
