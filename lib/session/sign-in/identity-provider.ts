import 'server-only'
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import type { ClientKey } from '#lib/config/client-key.ts'
import type { Config } from '#lib/config/config.ts'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { peekPerProcess, putPerProcess, steadyNow } from '#lib/config/per-process.ts'
import { exchange } from '#lib/http/exchange.ts'
import type { Claims } from './claim.ts'

const TIMEOUT_MS = 10_000
const DISCOVERY_LIFE_MS = 3_600_000

interface Discovered {
  readonly issuer: string
  readonly provider: oauth.AuthorizationServer
  readonly readAt: number
}

export class DiscoveryFailed extends Error {
  readonly why: 'discovery-unreachable' | 'discovery-invalid' | 'discovery-issuer'

  constructor(why: DiscoveryFailed['why'], options?: ErrorOptions) {
    super(why, options)
    this.name = 'DiscoveryFailed'
    this.why = why
  }
}

/** At most `maxAgeMs` old, or older while the provider is unreachable. Throws DiscoveryFailed. */
export async function identityProvider(maxAgeMs = DISCOVERY_LIFE_MS): Promise<oauth.AuthorizationServer> {
  const { issuer } = config().sso
  const latest = peekPerProcess<Discovered>('identity provider')
  const known = latest?.issuer === issuer ? latest : undefined
  if (known !== undefined && steadyNow() - known.readAt < maxAgeMs) return known.provider
  try {
    return await discoverProvider()
  } catch (error) {
    if (known !== undefined) return known.provider
    throw error
  }
}

/** Throws DiscoveryFailed. */
export async function discoverProvider(): Promise<oauth.AuthorizationServer> {
  const { issuer } = config().sso
  const provider = await readDiscovery(issuer)
  putPerProcess('identity provider', { issuer, provider, readAt: steadyNow() } satisfies Discovered)
  return provider
}

/** Throws DiscoveryFailed. */
export async function readDiscovery(issuer: string): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), overExchange(issuer)).catch((error: unknown) => {
    throw new DiscoveryFailed('discovery-unreachable', { cause: error })
  })
  if (isTemporary(response.status)) throw new DiscoveryFailed('discovery-unreachable')
  try {
    const text = await response.text()
    const { issuer: named } = JSON.parse(text) as { readonly issuer?: unknown }
    // The configured issuer has no final slash, but some issuers do. Some servers send plain text.
    const document = new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
    return await oauth.processDiscoveryResponse(new URL(named === `${issuer}/` ? named : issuer), document)
  } catch (error) {
    const isOther = error instanceof oauth.OperationProcessingError && error.code === oauth.JSON_ATTRIBUTE_COMPARISON
    throw new DiscoveryFailed(isOther ? 'discovery-issuer' : 'discovery-invalid', { cause: error })
  }
}

export const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

export type ClientCredentials = Pick<
  Config['sso'],
  'clientId' | 'clientSecret' | 'clientAuth' | 'clientKey' | 'assertionAudience'
>

/** `post` is the default when discovery lists it without `client_secret_basic`. */
export function clientAuthMethod(
  { clientAuth }: ClientCredentials,
  { token_endpoint_auth_methods_supported: listed = [] }: Pick<oauth.AuthorizationServer, ListedMethods>,
): NonNullable<Config['sso']['clientAuth']> {
  if (clientAuth !== null) return clientAuth
  return listed.includes('client_secret_post') && !listed.includes('client_secret_basic') ? 'post' : 'basic'
}

type ListedMethods = 'token_endpoint_auth_methods_supported'

type ClientEndpoint = 'token_endpoint' | 'revocation_endpoint' | 'pushed_authorization_request_endpoint'

/** RFC 6749 (2.3.1) form-encodes Basic credentials, but some providers do not decode them: `-._~` are not encoded. */
export function authenticateClient(
  credentials: ClientCredentials,
  endpoint: ClientEndpoint = 'token_endpoint',
): oauth.ClientAuth {
  const { clientId, clientSecret, clientKey, assertionAudience } = credentials
  return async (provider, _client, body, headers) => {
    if (clientKey !== null) {
      const audience = assertionAudience === 'endpoint' ? provider[endpoint] : undefined
      body.set('client_id', clientId)
      body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      body.set('client_assertion', await clientAssertion(clientId, clientKey, provider, audience ?? provider.issuer))
      return
    }
    if (clientAuthMethod(credentials, provider) === 'post') {
      body.set('client_id', clientId)
      body.set('client_secret', clientSecret)
      return
    }
    const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    headers.set('authorization', `Basic ${Buffer.from(basic).toString('base64')}`)
  }
}

/** Valid for five minutes, the longest that Auth0 takes, around a clock that differs by two. */
const ASSERTION_SECONDS = { before: 120, after: 180 } as const

/** RFC 7523, section 3. */
async function clientAssertion(
  clientId: string,
  { key, algs, names }: ClientKey,
  { token_endpoint_auth_signing_alg_values_supported: listed }: oauth.AuthorizationServer,
  audience: string,
): Promise<string> {
  const alg = algs.find((known) => listed?.includes(known)) ?? algs[0]
  const now = Math.floor(Date.now() / 1000)
  return await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg, typ: 'JWT', ...names })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(now)
    .setNotBefore(now - ASSERTION_SECONDS.before)
    .setExpirationTime(now + ASSERTION_SECONDS.after)
    .sign(key)
}

export function asClient(endpoint?: ClientEndpoint): {
  readonly client: oauth.Client
  readonly proof: oauth.ClientAuth
} {
  const { sso } = config()
  return { client: { client_id: sso.clientId }, proof: authenticateClient(sso, endpoint) }
}

/** The console's exchange never caches, repeats or logs a request. */
export function overExchange(issuer = config().sso.issuer): {
  [oauth.customFetch]: typeof fetchByExchange
  [oauth.allowInsecureRequests]: boolean
} {
  return {
    [oauth.customFetch]: fetchByExchange,
    // The configuration allows a plain http issuer on this machine only.
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  }
}

export class NoAnswer extends TypeError {}

/** The part of `fetch` that the OAuth and key libraries use. Throws NoAnswer. */
export async function fetchByExchange(url: string, init: RequestLike): Promise<Response> {
  const answer = await exchange({
    method: init.method,
    url: new URL(url),
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(init.body == null ? {} : { body: String(init.body) }),
    timeoutMs: TIMEOUT_MS,
    reuseConnection: false,
  })
  if (answer.kind !== 'answer') throw new NoAnswer(`the identity provider did not answer: ${answer.why}`)
  const headers = ['content-type', 'retry-after'].flatMap((name): [string, string][] => {
    const value = answer.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304
  return new Response(bodiless ? null : answer.body, { status: answer.status, headers })
}

interface RequestLike {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: unknown
}

export type UserinfoAnswer =
  | { readonly kind: 'claims'; readonly claims: Claims }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unavailable' }

const REFUSALS = [400, 401, 403, 404, 410]

export async function askUserinfo(accessToken: string): Promise<UserinfoAnswer> {
  try {
    const provider = await identityProvider()
    const { client } = asClient()
    const response = await oauth.userInfoRequest(provider, client, accessToken, overExchange())
    const { status } = response
    if (REFUSALS.includes(status)) {
      log().warn({ event: 'userinfo', status }, 'the provider refused')
      return { kind: 'refused', status }
    }
    const claims = await oauth.processUserInfoResponse(provider, client, oauth.skipSubjectCheck, response)
    return { kind: 'claims', claims }
  } catch (error) {
    log().warn({ event: 'userinfo', error: errorName(error) }, 'no answer that can be used')
    return { kind: 'unavailable' }
  }
}

export async function userinfo(accessToken: string): Promise<Claims | null> {
  const answer = await askUserinfo(accessToken)
  return answer.kind === 'claims' ? answer.claims : null
}
