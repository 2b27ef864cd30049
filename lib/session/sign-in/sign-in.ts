import 'server-only'
import { createHmac } from 'node:crypto'
import { headers } from 'next/headers'
import type { Account } from 'next-auth'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { log, mayLog } from '#lib/config/log.ts'
import type { AuditedPerson } from '#lib/session/audit-trail.ts'
import { clientAddress } from '#lib/session/client-address.ts'
import type { SignInMethod } from '#lib/session/session.ts'
import { revoke } from '#lib/session/vault/revoke-ended.ts'
import { type LoginResult, login } from '#lib/session/vault/service-tokens.ts'
import { ASSUMED_LIFE_SECONDS } from '#lib/session/vault/sso-tokens.ts'
import { createSession, type NewSession } from '#lib/session/vault/vault.ts'
import { meters } from '#lib/telemetry/meters.ts'
import { admitByScopes, admitWithSso, type Claims, hasAdminClaim, signedInAsAsked } from './admission.ts'
import { userinfo } from './identity-provider.ts'
import { accountHash, auditRefused, auditRefusedPassword, isKnownAccount, noteLetIn } from './known-accounts.ts'
import type { WhySignIn } from './paths.ts'
import { type Verdict, withBrake } from './sign-in-brake.ts'

export type SignIn =
  | { readonly ok: true; readonly handle: string }
  /** `seconds`: nothing is tried before. */
  | { readonly ok: false; readonly why: WhySignIn; readonly seconds?: number }

/** The claims of a verified ID token. */
export type SsoClaims = { readonly sub: string } & Claims

/** The last second that a date can have. */
const LATEST_SECONDS = 8.64e12

/** How far the clock of the identity provider may be ahead. */
const CLOCK_AHEAD_MAX_SECONDS = 300

const filled = z.string().min(1)

const grantedTokens = z.object({
  access_token: filled,
  refresh_token: filled,
  id_token: z.string().optional(),
  /** Seconds since 1970. A provider need not say how long a token lives (RFC 6749, section 5.1). */
  expires_at: z.number().max(LATEST_SECONDS).optional().catch(undefined),
})

/** What next-auth has verified goes into the vault, if the person is staff; the browser gets a handle. */
export async function signInWithSso(account: Account, claims: SsoClaims): Promise<SignIn> {
  const granted = grantedTokens.safeParse(account)
  const userId = userIdIn(claims)
  if (!granted.success || userId === null || !isFromIssuer(claims) || !isIssued(claims)) {
    // Without a refresh token a session would end every few minutes; without an id nobody could be named.
    const missing = granted.success ? [] : granted.error.issues.map(({ path }) => String(path[0]))
    if (userId === null) missing.push(`claim ${config().sso.userIdClaim}`)
    if (!isFromIssuer(claims)) missing.push('the issuer of OIDC_ISSUER')
    if (!isIssued(claims)) missing.push('a time of issue that is past')
    log().error({ event: 'sign-in', missing }, 'single sign-on did not give what a session needs')
    return { ok: false, why: 'sso-failed' }
  }
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken, expires_at: endsAt } = granted.data
  const admission = signedInAsAsked(claims)
    ? await admitWithSso(claims, { userId, accessToken })
    : ({ ok: false, why: 'sign-in-class' } as const)
  if (!admission.ok) {
    // The person does not wait for it.
    void revoke(refreshToken)
    return await refused(
      { actor: actorOf(userId), displayName: nameOf(claims) ?? userId, method: 'sso' },
      admission.why,
    )
  }
  const now = Date.now()
  return await open({
    actor: actorOf(userId),
    displayName: nameOf(claims) ?? userId,
    userId,
    method: 'sso',
    admittedBy: admission.by,
    administers: hasAdminClaim(claims),
    idpSid: typeof claims.sid === 'string' ? claims.sid : null,
    idpSubject: claims.sub,
    tokens: {
      accessToken,
      refreshToken,
      idToken: config().sso.logoutHint ? idToken : undefined,
      receivedAt: new Date(now).toISOString(),
      endsAt: new Date(endsAt === undefined ? now + ASSUMED_LIFE_SECONDS * 1000 : endsAt * 1000).toISOString(),
    },
    account: verifiedEmailIn(claims),
  })
}

/** `POST Users/login`. The service does not say who signed in: the identity provider is asked whose the token is. */
export async function signInWithPassword(email: string, password: string): Promise<SignIn> {
  const result = await withBrake(
    { account: email, address: await clientAddress(), isKnown: () => isKnownAccount(email) },
    () => loginTold(email, password),
    toldBy,
  )
  meters().passwordSignIn(result.ok ? 'right' : result.why)
  if (!result.ok) {
    logRefusedPassword(email, result.why)
    return result
  }
  const { tokens } = result
  const claims = await userinfo(tokens.accessToken)
  const userId = claims === null ? null : userIdIn(claims)
  if (claims === null || userId === null) return logRefused('password', 'unidentified')
  const person = { actor: actorOf(userId), displayName: nameOf(claims) ?? userId, method: 'password' } as const
  const admission = await admitByScopes({ userId, accessToken: tokens.accessToken })
  if (!admission.ok) return await refused(person, admission.why)
  return await open({
    ...person,
    userId,
    admittedBy: admission.by,
    idpSid: null,
    idpSubject: null,
    tokens,
    account: email,
  })
}

/** Within the time that every refusal takes, so that it tells nobody whether there is such an account. */
async function loginTold(email: string, password: string): Promise<LoginResult> {
  const result = await login(email, password)
  if (!result.ok && result.why !== 'unavailable') await auditRefusedPassword(email, result.why)
  return result
}

const toldBy = (result: LoginResult): Verdict => {
  if (result.ok) return 'passed'
  return result.why === 'unavailable' ? 'nothing' : 'failed'
}

/** A person whom the identity provider knows, and who is not let in. */
async function refused(person: AuditedPerson, why: WhySignIn): Promise<SignIn> {
  await auditRefused(person, why)
  return logRefused(person.method, why)
}

function logRefused(method: SignInMethod, why: WhySignIn): SignIn {
  log().warn({ event: 'sign-in', method, refused: why })
  return { ok: false, why }
}

const REFUSALS_LOGGED_A_MINUTE = 60

/** `account` is a keyed mark: it joins the guesses for one account, and names nobody. */
function logRefusedPassword(email: string, why: WhySignIn): void {
  if (!mayLog('refused passwords', REFUSALS_LOGGED_A_MINUTE)) return
  const mark = createHmac('sha256', config().handshakeSecret)
    .update(`account ${accountHash(email)}`)
    .digest('hex')
  log().warn({ event: 'sign-in', method: 'password', refused: why, account: mark.slice(0, 16) })
}

type Opening = Omit<NewSession, 'userAgent' | 'address'> & {
  /** By which the person signs in with a password; null where it is not known. */
  readonly account: string | null
}

async function open({ account, ...session }: Opening): Promise<SignIn> {
  try {
    const userAgent = (await headers()).get('user-agent') ?? ''
    const handle = await createSession({ ...session, userAgent, address: await clientAddress() })
    if (account !== null) await noteLetIn(account, session)
    return { ok: true, handle }
  } catch (error) {
    log().error({ event: 'sign-in', error: error instanceof Error ? error.name : 'unknown' }, 'the vault did not open')
    return { ok: false, why: 'not-saved' }
  }
}

/** One person is one actor, however they signed in: both ways the identity provider says who it is. */
const actorOf = (userId: string): string => `sso:${userId}`

const userIdIn = (claims: Claims): string | null => filled.safeParse(claims[config().sso.userIdClaim]).data ?? null

/** The handshake compares a token with the issuer that discovery names: that has to be the configured one, too. */
const isFromIssuer = ({ iss }: Claims): boolean =>
  [config().sso.issuer, `${config().sso.issuer}/`].includes(String(iss))

/** The handshake holds a token against its end alone; the provider's clock may be a little ahead. */
const isIssued = ({ iat }: Claims): boolean => Number(iat) <= Date.now() / 1000 + CLOCK_AHEAD_MAX_SECONDS

/** What a person is shown as. An address that nobody verified could be anybody's. */
function nameOf(claims: Claims): string | null {
  const names = [verifiedEmailIn(claims), claims.name, claims.preferred_username]
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null
}

const verifiedEmailIn = ({ email, email_verified: isVerified }: Claims): string | null =>
  isVerified === true && typeof email === 'string' && email !== '' ? email : null
