import 'server-only'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { asClient, identityProvider, overExchange } from '#lib/session/sign-in/identity-provider.ts'
import { type RefreshResult, withoutTokens } from './refresh-result.ts'

/** How long a token counts as good whose provider does not say; one that ends earlier is renewed when it is refused. */
export const ASSUMED_LIFE_SECONDS = 300
/** A year: nobody means more. */
const LONGEST_LIFE_SECONDS = 31_536_000

/**
 * The fields of a refresh that are used. What is wrong with an ID token that comes along must not lose the tokens beside
 * it, since the old ones are spent.
 */
const granted = z.object({
  access_token: z.string().min(1),
  /** A provider that does not rotate answers without a new one. */
  refresh_token: z.string().min(1).nullish(),
  /** Seconds. */
  expires_in: z.coerce.number().positive().max(LONGEST_LIFE_SECONDS).catch(ASSUMED_LIFE_SECONDS),
  id_token: z.string().optional().catch(undefined),
})

const refusal = z.object({ error: z.string() })

/** Refreshes at the identity provider's token endpoint. 400 `invalid_grant` ends the session, nothing else does. */
export async function refreshWithSso(refreshToken: string): Promise<RefreshResult> {
  const { resource } = config().sso
  const receivedAt = new Date()
  let response: Response
  try {
    const { client, proof } = asClient()
    response = await oauth.refreshTokenGrantRequest(await identityProvider(), client, proof, refreshToken, {
      ...overExchange(),
      ...(resource === null ? {} : { additionalParameters: { resource } }),
    })
  } catch {
    return { kind: 'unavailable' }
  }
  const body = (await response.json().catch(() => null)) as unknown
  if (!response.ok) {
    const dead = response.status === 400 && refusal.safeParse(body).data?.error === 'invalid_grant'
    return dead ? { kind: 'over' } : withoutTokens(response.status)
  }
  const tokens = granted.safeParse(body)
  if (!tokens.success) {
    const missing = tokens.error.issues.map(({ path }) => path.join('.') || 'all of it')
    log().error({ event: 'refresh', missing }, 'single sign-on did not give what a session needs')
    return { kind: 'unavailable' }
  }
  return {
    kind: 'refreshed',
    idToken: tokens.data.id_token,
    tokens: {
      accessToken: tokens.data.access_token,
      refreshToken: tokens.data.refresh_token ?? refreshToken,
      receivedAt: receivedAt.toISOString(),
      endsAt: new Date(receivedAt.getTime() + tokens.data.expires_in * 1000).toISOString(),
    },
  }
}

/** `unreachable`: no answer, or one that says later. The token still lives, as far as is known. */
export type Revocation = 'answered' | 'not-offered' | 'unreachable'

/** The answers after which RFC 7009 has a client ask again. */
const isLater = (status: number): boolean => status >= 500 || status === 408 || status === 429

/** Gives a refresh token back (RFC 7009) where discovery offers it; the provider may not know it any more. */
export async function revokeWithSso(refreshToken: string): Promise<Revocation> {
  try {
    const provider = await identityProvider()
    if (provider.revocation_endpoint === undefined) return 'not-offered'
    const { client, proof } = asClient()
    const { ok, status } = await oauth.revocationRequest(provider, client, proof, refreshToken, {
      ...overExchange(),
      additionalParameters: { token_type_hint: 'refresh_token' },
    })
    if (isLater(status)) return 'unreachable'
    if (!ok) log().warn({ event: 'revocation', status }, 'single sign-on did not take a refresh token back')
    return 'answered'
  } catch {
    return 'unreachable'
  }
}
