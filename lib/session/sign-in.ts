import 'server-only'
import { headers } from 'next/headers'
import type { Account } from 'next-auth'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import type { WhySignIn } from './paths.ts'
import { login } from './service-tokens.ts'
import { createSession, type NewSession } from './vault.ts'

export type SignIn = { readonly ok: true; readonly handle: string } | { readonly ok: false; readonly why: WhySignIn }

/** The claims of a verified ID token. */
export type SsoClaims = { readonly sub: string } & Readonly<Record<string, unknown>>

const grantedTokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  id_token: z.string().optional(),
  /** Seconds since 1970. */
  expires_at: z.number(),
})

/** What next-auth has verified goes into the vault; the browser gets a handle. */
export async function signInWithSso(account: Account, claims: SsoClaims): Promise<SignIn> {
  const granted = grantedTokens.safeParse(account)
  const userId = claims[config().sso.userIdClaim]
  if (!granted.success || typeof userId !== 'string' || userId === '') {
    // Without a refresh token a session would end every few minutes; without an id nobody could be named.
    log().error({ event: 'sign-in', refreshToken: account.refresh_token !== undefined, userId: typeof userId })
    return { ok: false, why: 'sso-failed' }
  }
  return await open({
    actor: `sso:${userId}`,
    displayName: nameOf(claims) ?? userId,
    userId,
    method: 'sso',
    idpSid: typeof claims.sid === 'string' ? claims.sid : null,
    idpSubject: claims.sub,
    tokens: {
      accessToken: granted.data.access_token,
      refreshToken: granted.data.refresh_token,
      idToken: config().sso.logoutHint ? granted.data.id_token : undefined,
      receivedAt: new Date().toISOString(),
      endsAt: new Date(granted.data.expires_at * 1000).toISOString(),
    },
  })
}

/** `POST Users/login`. The service does not say who signed in, so the user id stays unknown. */
export async function signInWithPassword(email: string, password: string): Promise<SignIn> {
  const result = await login(email, password)
  if (!result.ok) return { ok: false, why: result.why }
  const address = email.trim().toLowerCase()
  return await open({
    actor: `password:${address}`,
    displayName: address,
    userId: null,
    method: 'password',
    idpSid: null,
    idpSubject: null,
    tokens: result.tokens,
  })
}

async function open(session: Omit<NewSession, 'userAgent'>): Promise<SignIn> {
  try {
    const userAgent = (await headers()).get('user-agent') ?? ''
    return { ok: true, handle: await createSession({ ...session, userAgent }) }
  } catch (error) {
    log().error({ event: 'sign-in', error: error instanceof Error ? error.name : 'unknown' }, 'the vault did not open')
    return { ok: false, why: 'not-saved' }
  }
}

function nameOf(claims: SsoClaims): string | null {
  const name = [claims.email, claims.name, claims.preferred_username].find((claim) => typeof claim === 'string')
  return typeof name === 'string' && name !== '' ? name : null
}
