import 'server-only'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import type { SignInMethod } from '#lib/session/session.ts'
import type { ClaimReading } from './claim.ts'
import type { WhySignIn } from './paths.ts'

/** Logged cause and reason shown to the person. `docs/operations.md` explains each. */
export const signInCauses = {
  'discovery-unreachable': 'sso-unreachable',
  'discovery-invalid': 'sso-failed',
  'discovery-issuer': 'sso-failed',
  'provider-denied': 'denied',
  'provider-error': 'sso-unreachable',
  'provider-refused': 'sso-failed',
  'pushed-request-unreachable': 'sso-unreachable',
  'pushed-request-refused': 'sso-failed',
  scope: 'sso-failed',
  'offline-access': 'sso-failed',
  resource: 'sso-failed',
  cookies: 'sso-unfinished',
  state: 'sso-unfinished',
  'response-issuer': 'sso-failed',
  response: 'sso-failed',
  'token-endpoint-unreachable': 'sso-unreachable',
  'token-endpoint-refused': 'sso-failed',
  'token-answer': 'sso-failed',
  'client-authentication': 'sso-failed',
  code: 'sso-unfinished',
  'no-id-token': 'sso-failed',
  'no-refresh-token': 'sso-failed',
  'keys-unreachable': 'sso-unreachable',
  'key-unknown': 'sso-unfinished',
  algorithm: 'sso-failed',
  signature: 'sso-failed',
  'not-a-token': 'sso-failed',
  issuer: 'sso-failed',
  audience: 'sso-failed',
  claims: 'sso-failed',
  clock: 'sso-failed',
  nonce: 'sso-unfinished',
  'access-token-hash': 'sso-failed',
  'user-id': 'sso-failed',
  'sign-in-class': 'sign-in-class',
  'not-staff': 'not-staff',
  'groups-left-out': 'groups-left-out',
  'scopes-unreadable': 'unchecked',
  userinfo: 'unidentified',
  'service-unreachable': 'unavailable',
  fault: 'not-saved',
} as const satisfies Readonly<Record<string, WhySignIn>>

export type SignInCause = keyof typeof signInCauses

export interface FailedSignIn {
  readonly ok: false
  readonly why: WhySignIn
  readonly cause?: SignInCause
  readonly seconds?: number
}

/** Never a value that a provider or a person sent. */
export interface FailureFacts {
  readonly status?: number
  readonly oauthError?: OAuthError | undefined
  readonly claim?: 'acr' | 'amr' | ClaimReading | undefined
  readonly error?: string
}

export function failSignIn(method: SignInMethod, cause: SignInCause, facts: FailureFacts = {}): FailedSignIn {
  log().warn({ event: 'sign-in', method, cause, ...facts }, 'nobody was signed in')
  return { ok: false, why: signInCauses[cause], cause }
}

/** RFC 6749 (4.1.2.1 and 5.2), OpenID Connect Core (3.1.2.6), RFC 7009, RFC 8707, RFC 9470. */
const oauthErrors = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_target',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unmet_authentication_requirements',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
] as const

export type OAuthError = (typeof oauthErrors)[number] | 'other'

/** Safe to log: unknown codes become `other`. */
export function oauthError(value: unknown): OAuthError | undefined {
  if (typeof value !== 'string') return undefined
  return oauthErrors.find((known) => known === value) ?? 'other'
}

/** Providers refuse `offline_access` under several codes, and name it in `description`, which is only searched. */
export function causeOfOAuthError(error: OAuthError | undefined, description: unknown): SignInCause | null {
  const isOfPerson = error === undefined || error === 'access_denied' || error === 'consent_required'
  const isOffline = typeof description === 'string' && /offline[ _-]?(access|token)/i.test(description)
  if (!isOfPerson && isOffline && config().sso.scope.split(' ').includes('offline_access')) return 'offline-access'
  return causes.get(error) ?? null
}

const causes: ReadonlyMap<OAuthError | undefined, SignInCause> = new Map([
  ['access_denied', 'provider-denied'],
  ['invalid_client', 'client-authentication'],
  ['invalid_grant', 'code'],
  ['invalid_scope', 'scope'],
  ['invalid_target', 'resource'],
  ['server_error', 'provider-error'],
  ['temporarily_unavailable', 'provider-error'],
  ['unmet_authentication_requirements', 'sign-in-class'],
])
