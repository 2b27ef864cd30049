import 'server-only'
import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { headers } from 'next/headers'
import { config } from '#lib/config/config.ts'
import { errorName, log, mayLog } from '#lib/config/log.ts'
import type { SessionFacts } from '#lib/session/session.ts'
import { revoke } from '#lib/session/vault/revoke-ended.ts'
import { type LoginResult, login, type Redeemed } from '#lib/session/vault/tokens.ts'
import { createSession, type NewSession } from '#lib/session/vault/vault.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { admitByScopes, admitWithSso, hasAdminClaim, unmetSignInClass } from './admission.ts'
import {
  accountHash,
  auditRefused,
  auditRefusedPassword,
  isKnownAccount,
  recordSignedInAccount,
  type Verdict,
  withSignInRateLimit,
} from './attempts.ts'
import { type Claims, readClaim, readTextClaim } from './claim.ts'
import { type FailedSignIn, type FailureFacts, failSignIn, signInCauses } from './failure.ts'
import { userinfo } from './identity-provider.ts'
import type { WhySignIn } from './paths.ts'

export type SignIn = { readonly ok: true; readonly handle: string } | FailedSignIn

type RedeemedTokens = Omit<Redeemed, 'ok'>

export async function signInWithSso(redeemed: RedeemedTokens): Promise<SignIn> {
  const { sid } = redeemed.claims
  const idpSid = typeof sid === 'string' ? sid : null
  const signIn = await admitAndOpen(redeemed, idpSid)
  if (!signIn.ok) void revoke(redeemed.tokens.refreshToken, idpSid)
  return signIn
}

async function admitAndOpen({ tokens, idToken, claims }: RedeemedTokens, idpSid: string | null): Promise<SignIn> {
  const userId = userIdIn(claims)
  if (userId === null) {
    return failSignIn('sso', 'user-id', { claim: readClaim(claims, { name: config().sso.userIdClaim, values: [] }) })
  }
  const person = { actor: actorOf(userId), displayName: nameOf(claims) ?? userId, method: 'sso' } as const
  const unmet = unmetSignInClass(claims)
  const admission =
    unmet === null
      ? await admitWithSso(claims, { userId, accessToken: tokens.accessToken })
      : ({ ok: false, cause: 'sign-in-class', claim: unmet } as const)
  if (!admission.ok) return await refused(person, admission)
  return await open({
    ...person,
    userId,
    admittedBy: admission.by,
    administers: hasAdminClaim(claims),
    idpSid,
    idpSubject: claims.sub,
    idTokenIssuedAt: claims.iat,
    tokens: { ...tokens, idToken: config().sso.logoutHint ? idToken : undefined },
    account: verifiedEmailIn(claims),
  })
}

/** The service does not say who signed in, so the identity provider does. */
export async function signInWithPassword(email: string, password: string): Promise<SignIn> {
  const result = await withSignInRateLimit(
    { account: email, address: await clientAddress(), isKnown: () => isKnownAccount(email) },
    () => loginTold(email, password),
    toldBy,
  )
  meters().passwordSignIn(result.ok ? 'right' : result.why)
  if (!result.ok) {
    if (result.why === 'unavailable') return failSignIn('password', 'service-unreachable')
    logRefusedPassword(email, result.why)
    return result
  }
  const { tokens } = result
  const claims = await userinfo(tokens.accessToken)
  const userId = claims === null ? null : userIdIn(claims)
  if (claims === null || userId === null) return failSignIn('password', 'userinfo')
  const person = { actor: actorOf(userId), displayName: nameOf(claims) ?? userId, method: 'password' } as const
  const admission = await admitByScopes({ userId, accessToken: tokens.accessToken })
  if (!admission.ok) return await refused(person, admission)
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

/** Inside the minimum time of a refusal, so that timing does not show whether the account exists. */
async function loginTold(email: string, password: string): Promise<LoginResult> {
  const result = await login(email, password)
  if (!result.ok && result.why !== 'unavailable') await auditRefusedPassword(email, result.why)
  return result
}

const toldBy = (result: LoginResult): Verdict => {
  if (result.ok) return 'passed'
  return result.why === 'unavailable' ? 'nothing' : 'failed'
}

interface Refusal extends FailureFacts {
  readonly cause: 'not-staff' | 'groups-left-out' | 'scopes-unreadable' | 'sign-in-class'
}

async function refused(
  person: Pick<SessionFacts, 'actor' | 'displayName' | 'method'>,
  { cause, claim }: Refusal,
): Promise<SignIn> {
  await auditRefused(person, signInCauses[cause])
  return failSignIn(person.method, cause, { claim })
}

const REFUSALS_LOGGED_A_MINUTE = 60

/** The logged `account` is a keyed hash: it links guesses without naming the person. */
function logRefusedPassword(email: string, why: WhySignIn): void {
  if (!mayLog('refused passwords', REFUSALS_LOGGED_A_MINUTE)) return
  const mark = createHmac('sha256', config().handshakeSecret)
    .update(`account ${accountHash(email)}`)
    .digest('hex')
  log().warn({ event: 'sign-in', method: 'password', refused: why, account: mark.slice(0, 16) })
}

type Opening = Omit<NewSession, 'userAgent' | 'address'> & {
  readonly account: string | null
}

async function open({ account, ...session }: Opening): Promise<SignIn> {
  try {
    const userAgent = (await headers()).get('user-agent') ?? ''
    const handle = await createSession({ ...session, userAgent, address: await clientAddress() })
    if (account !== null) await recordSignedInAccount(account, session)
    return { ok: true, handle }
  } catch (error) {
    return failSignIn(session.method, 'fault', { error: errorName(error) })
  }
}

/** The same person has the same actor with both sign-in methods. */
const actorOf = (userId: string): string => `sso:${userId}`

const userIdIn = (claims: Claims): string | null => readTextClaim(claims, config().sso.userIdClaim)

/** An unverified email address could belong to another person. */
function nameOf(claims: Claims): string | null {
  const names = [verifiedEmailIn(claims), claims.name, claims.preferred_username]
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null
}

const verifiedEmailIn = ({ email, email_verified: isVerified }: Claims): string | null =>
  isVerified === true && typeof email === 'string' && email !== '' ? email : null

/** Reads only the last hop of X-Forwarded-For: the console's proxy writes it, and a client can forge the others. */
async function clientAddress(): Promise<string | null> {
  if (!config().behindProxy) return null
  return addressIn((await headers()).get('x-forwarded-for')?.split(',').at(-1) ?? '')
}

/** Null for anything but an IP address, bare, in brackets or with a port. */
export function addressIn(written: string): string | null {
  const bare = written
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  return isIP(bare) === 0 ? null : bare
}
