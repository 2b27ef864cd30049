import 'server-only'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { type Endpoint, envelope } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { tokenPair } from '#lib/contract/users.ts'
import { retryAfter } from '#lib/http/exchange.ts'
import {
  causeOfOAuthError,
  type FailedSignIn,
  failSignIn,
  type OAuthError,
  oauthError,
  type SignInCause,
} from '#lib/session/sign-in/failure.ts'
import {
  asClient,
  DiscoveryFailed,
  identityProvider,
  isTemporary,
  NoAnswer,
  overExchange,
} from '#lib/session/sign-in/identity-provider.ts'
import { type IdTokenClaims, verifyIdToken } from '#lib/session/sign-in/provider-token.ts'
import { callService } from '#lib/telemetry/spans.ts'
import type { TokenPair } from './box.ts'

const ASSUMED_LIFE_SECONDS = 300
const LONGEST_LIFE_SECONDS = 31_536_000
/** Short, so that a corrected discovery document works at once. */
const SIGN_IN_DISCOVERY_MAX_AGE_MS = 60_000

/** A provider without rotation sends no refresh token. An invalid `id_token` must not discard the new tokens. */
const granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  /** Seconds. */
  expires_in: z.coerce.number().positive().max(LONGEST_LIFE_SECONDS).catch(ASSUMED_LIFE_SECONDS),
  id_token: z.string().min(1).optional().catch(undefined),
})

const pairOf = (answer: z.output<typeof granted>, refreshToken: string, receivedAt: Date): TokenPair => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token ?? refreshToken,
  receivedAt: receivedAt.toISOString(),
  endsAt: new Date(receivedAt.getTime() + answer.expires_in * 1000).toISOString(),
})

interface ProviderAnswer {
  readonly status: number
  readonly ok: boolean
  readonly body: unknown
  readonly error: OAuthError | undefined
  /** Null where a refusal does not say. */
  readonly cause: SignInCause | null
}

const refusal = z.object({ error: z.string(), error_description: z.unknown().optional() })

export async function readAnswer(response: Response): Promise<ProviderAnswer> {
  const body = (await response.json().catch(() => null)) as unknown
  const { status, ok } = response
  const { data } = ok ? {} : refusal.safeParse(body)
  const error = oauthError(data?.error)
  const ofClient = status === 401 ? 'client-authentication' : null
  return { status, ok, body, error, cause: causeOfOAuthError(error, data?.error_description) ?? ofClient }
}

export type AuthorizationAnswer = Readonly<Record<string, string>>

export interface HandshakeChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Redeemed {
  readonly ok: true
  readonly tokens: TokenPair
  readonly idToken: string
  readonly claims: IdTokenClaims
}

/** `redirectUri` must equal the one in the authorization request. */
export async function redeemCode(
  answer: AuthorizationAnswer,
  checks: HandshakeChecks,
  redirectUri: string,
): Promise<Redeemed | FailedSignIn> {
  const receivedAt = new Date()
  let response: Response
  try {
    const provider = await identityProvider(SIGN_IN_DISCOVERY_MAX_AGE_MS)
    const { client, proof } = asClient()
    const callback = validAnswer(answer, checks, provider)
    if (typeof callback === 'string') return failSignIn('sso', callback)
    response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      proof,
      callback,
      redirectUri,
      checks.verifier,
      overExchange(),
    )
  } catch (error) {
    return failSignIn('sso', causeOfException(error))
  }
  const { status, ok, body, error, cause } = await readAnswer(response)
  if (!ok) {
    const why = isTemporary(status) ? 'token-endpoint-unreachable' : (cause ?? 'token-endpoint-refused')
    return failSignIn('sso', why, { status, oauthError: error })
  }
  const tokens = granted.safeParse(body)
  if (!tokens.success) return failSignIn('sso', 'token-answer', { status })
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = tokens.data
  if (idToken === undefined) return failSignIn('sso', 'no-id-token')
  const verified = await verifyIdToken(idToken, { nonce: checks.nonce, accessToken })
  if (!verified.ok) return failSignIn('sso', verified.why)
  // Without one a session would end with its first access token.
  if (refreshToken == null && config().sso.needsRefreshToken) return failSignIn('sso', 'no-refresh-token')
  return { ok: true, tokens: pairOf(tokens.data, refreshToken ?? '', receivedAt), idToken, claims: verified.claims }
}

/** RFC 9207 defines the check of `iss`. */
function validAnswer(
  answer: AuthorizationAnswer,
  checks: HandshakeChecks,
  provider: oauth.AuthorizationServer,
): URLSearchParams | SignInCause {
  const { code, state, iss } = answer
  if (state !== checks.state) return 'state'
  const isMissing = iss === undefined && provider.authorization_response_iss_parameter_supported === true
  if (isMissing || (iss !== undefined && iss !== provider.issuer)) return 'response-issuer'
  if (code === undefined || code === '') return 'response'
  try {
    return oauth.validateAuthResponse(provider, asClient().client, new URLSearchParams(answer), checks.state)
  } catch {
    return 'response'
  }
}

function causeOfException(error: unknown): SignInCause {
  if (error instanceof DiscoveryFailed) return error.why
  return error instanceof NoAnswer ? 'token-endpoint-unreachable' : 'discovery-invalid'
}

/** Only 400 `invalid_grant` ends the session. */
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
    return withoutTokens(0)
  }
  const { status, ok, body, error } = await readAnswer(response)
  if (!ok) {
    const isDead = status === 400 && error === 'invalid_grant'
    const after = retryAfter({ 'retry-after': response.headers.get('retry-after') ?? undefined })
    return isDead ? { kind: 'over', status, oauthError: error } : withoutTokens(status, error, after)
  }
  const tokens = granted.safeParse(body)
  if (!tokens.success) {
    const missing = tokens.error.issues.map(({ path }) => path.join('.') || 'all of it')
    log().error({ event: 'refresh', missing }, 'single sign-on did not give what a session needs')
    return withoutTokens(status)
  }
  return { kind: 'refreshed', idToken: tokens.data.id_token, tokens: pairOf(tokens.data, refreshToken, receivedAt) }
}

/** `unreachable`: the token may still be valid. */
export type Revocation = 'answered' | 'not-offered' | 'unreachable'

/** RFC 7009. The provider may already have dropped the token. */
export async function revokeWithSso(refreshToken: string): Promise<Revocation> {
  if (refreshToken === '') return 'not-offered'
  try {
    const provider = await identityProvider()
    if (provider.revocation_endpoint === undefined) return 'not-offered'
    const { client, proof } = asClient('revocation_endpoint')
    const response = await oauth.revocationRequest(provider, client, proof, refreshToken, {
      ...overExchange(),
      additionalParameters: { token_type_hint: 'refresh_token' },
    })
    const { status, ok } = response
    if (isTemporary(status)) return 'unreachable'
    if (!ok) {
      const { error } = await readAnswer(response)
      log().warn({ event: 'revocation', status, oauthError: error }, 'the provider refused to revoke a refresh token')
    }
    return 'answered'
  } catch {
    return 'unreachable'
  }
}

export type RefreshResult =
  | {
      readonly kind: 'refreshed'
      readonly tokens: TokenPair
      /** Not verified. */
      readonly idToken?: string | undefined
    }
  | NotRefreshed

interface NotRefreshed {
  /** `over`: it is dead. `refused`: perhaps valid; the session lives as long as its access token. */
  readonly kind: 'over' | 'refused' | 'unavailable'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly oauthError?: OAuthError | undefined
  readonly retryAfterSeconds?: number | null
}

export function withoutTokens(status: number, error?: OAuthError, retryAfterSeconds?: number | null): NotRefreshed {
  const isRefused = status >= 400 && status < 500 && !isTemporary(status)
  return { kind: isRefused ? 'refused' : 'unavailable', status, oauthError: error, retryAfterSeconds }
}

const TIMEOUT_MS = 10_000

export type LoginResult =
  | { readonly ok: true; readonly tokens: TokenPair }
  | { readonly ok: false; readonly why: 'wrong' | 'forbidden' | 'locked' | 'unavailable' }

/** interface.md, "Authentication". */
export async function login(email: string, password: string): Promise<LoginResult> {
  const answer = await post(endpoints.users.login, { email, password })
  if (answer.tokens !== null) return { ok: true, tokens: answer.tokens }
  const why = { 400: 'wrong', 401: 'wrong', 403: 'forbidden', 423: 'locked' } as const
  return { ok: false, why: why[answer.status as keyof typeof why] ?? 'unavailable' }
}

/** Only 401 ends the session. */
export async function refreshWithService(refreshToken: string): Promise<RefreshResult> {
  const { status, tokens, retryAfterSeconds } = await post(endpoints.users.refreshToken, { refreshToken })
  if (tokens !== null) return { kind: 'refreshed', tokens }
  return status === 401 ? { kind: 'over', status } : withoutTokens(status, undefined, retryAfterSeconds)
}

interface Posted {
  /** 0 without an answer. */
  readonly status: number
  readonly tokens: TokenPair | null
  readonly retryAfterSeconds?: number | null
}

async function post(endpoint: Endpoint, body: Readonly<Record<string, string>>): Promise<Posted> {
  const receivedAt = new Date()
  const answer = await callService(endpoint, {
    url: new URL(config().coreApiUrl + endpoint.path),
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: TIMEOUT_MS,
    reuseConnection: false,
  })
  if (answer.kind !== 'answer') return { status: 0, tokens: null }
  const { status, headers } = answer
  if (status < 200 || status >= 300) return { status, tokens: null, retryAfterSeconds: retryAfter(headers) }
  return { status, tokens: readPair(answer.body, receivedAt) }
}

function readPair(body: string, receivedAt: Date): TokenPair | null {
  try {
    const { data } = envelope(tokenPair).parse(parseJson(body))
    const tokens = granted.parse({ access_token: data.accessToken, expires_in: data.expiresIn })
    return pairOf(tokens, data.refreshToken, receivedAt)
  } catch {
    return null
  }
}
