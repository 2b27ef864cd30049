import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { type JWK, type JWTPayload, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type Provider from 'oidc-provider'
import type { World } from '#sandbox/world/world.ts'
import { RESOURCE, resourceServer, WALLET_CLIENT_ID } from './provider.ts'

export type Tokens = ReturnType<typeof createTokens>

type RefreshToken = InstanceType<Provider['RefreshToken']>

export function createTokens(world: World, provider: Provider, signing: JWK, accessTokenSeconds: number) {
  const readClaims = claimsReader(signing, provider.issuer)

  async function pair(grantId: string, userId: string, replaced?: RefreshToken) {
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
    async issue(userId: string) {
      const grant = new provider.Grant({ clientId: WALLET_CLIENT_ID, accountId: userId })
      grant.addOIDCScope('openid')
      grant.addResourceScope(RESOURCE, 'core')
      return await pair(await grant.save(), userId)
    },

    /** Null when the token is unknown, expired or spent, or its family has ended. A spent one ends its whole family. */
    async refresh(value: string) {
      const token = await provider.RefreshToken.find(value, { ignoreExpiration: true })
      if (token === undefined || token.clientId !== WALLET_CLIENT_ID || token.grantId === undefined) return null
      const { grantId, accountId } = token
      if ((await provider.Grant.find(grantId)) === undefined) return null
      if (token.consumed || token.isExpired || !(await consumed(token))) {
        if (!token.isExpired) await endFamily(provider, grantId)
        return null
      }
      return await pair(grantId, accountId, token)
    },

    /** `endsMs`: milliseconds since 1970, by the machine's clock. */
    async verify(accessToken: string) {
      const payload = await readClaims(accessToken, world.wallMilliseconds())
      const user = payload?.sub === undefined ? undefined : await world.tokenUsers.find(world.db, payload.sub)
      const valid = user?.may_sign_in && user.token_generation === payload?.generation
      return valid ? { user, endsMs: Number(payload?.exp) * 1000 } : null
    },

    async expire(userId: string, refresh: boolean) {
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
function claimsReader(signing: JWK, issuer: string) {
  const key = createPublicKey({ key: signing as JsonWebKey, format: 'jwk' })
  const remembered = new LRUCache<string, JWTPayload>({ max: REMEMBERED_MAX })
  return async (token: string, milliseconds: number): Promise<JWTPayload | null> => {
    const known = remembered.get(token)
    if (known !== undefined) return (known.exp ?? 0) > Math.floor(milliseconds / 1000) ? known : null
    const rules = { issuer, audience: RESOURCE, requiredClaims: ['exp'], currentDate: new Date(milliseconds) }
    const verified = await jwtVerify(token, key, rules).catch(() => null)
    if (verified === null) return null
    remembered.set(token, verified.payload)
    return verified.payload
  }
}
