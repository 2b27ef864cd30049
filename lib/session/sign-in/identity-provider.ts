import 'server-only'
import * as oauth from 'oauth4webapi'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { exchange } from '#lib/http/exchange.ts'
import type { Claims } from './admission.ts'

const TIMEOUT_MS = 10_000
const DISCOVERY_LIFE_MS = 3_600_000

interface Discovered {
  readonly issuer: string
  readonly provider: oauth.AuthorizationServer
  readonly until: number
}

/**
 * What the identity provider says of itself in its discovery document, kept for an hour, and longer while it cannot be
 * asked again. Throws when it never could be.
 */
export async function identityProvider(): Promise<oauth.AuthorizationServer> {
  const { issuer } = config().sso
  const latest = peekPerProcess<Discovered>('identity provider')
  const known = latest?.issuer === issuer ? latest : undefined
  if (known !== undefined && known.until > Date.now()) return known.provider
  try {
    const provider = await discover(issuer)
    const until = Date.now() + DISCOVERY_LIFE_MS
    putPerProcess('identity provider', { issuer, provider, until } satisfies Discovered)
    return provider
  } catch (error) {
    if (known !== undefined) return known.provider
    throw error
  }
}

async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), overExchange())
  // Configuration leaves out the slash that some issuers end with.
  const { issuer: named } = (await response.clone().json()) as { readonly issuer?: unknown }
  return await oauth.processDiscoveryResponse(new URL(named === `${issuer}/` ? named : issuer), response)
}

/** This console as a client of the provider, and how it proves to be that. */
export function asClient(): { readonly client: oauth.Client; readonly proof: oauth.ClientAuth } {
  const { clientId, clientSecret, clientAuth } = config().sso
  const proof = clientAuth === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret)
  return { client: { client_id: clientId }, proof }
}

/** Requests to the provider go through the same exchange as all others, so nothing caches, repeats or logs them. */
export function overExchange(): {
  [oauth.customFetch]: typeof fetchByExchange
  [oauth.allowInsecureRequests]: boolean
} {
  return {
    [oauth.customFetch]: fetchByExchange,
    // The configuration lets a plain http issuer through on this machine alone.
    [oauth.allowInsecureRequests]: config().sso.issuer.startsWith('http:'),
  }
}

/** The part of `fetch` that the libraries for OAuth and for keys use. Throws when no whole answer came. */
export async function fetchByExchange(url: string, init: RequestLike): Promise<Response> {
  const answer = await exchange({
    method: init.method,
    url: new URL(url),
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(init.body == null ? {} : { body: String(init.body) }),
    timeoutMs: TIMEOUT_MS,
    reuseConnection: false,
  })
  if (answer.kind !== 'answer') throw new TypeError(`the identity provider did not answer: ${answer.why}`)
  const contentType = answer.headers['content-type']
  const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304
  return new Response(bodiless ? null : answer.body, {
    status: answer.status,
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
  })
}

interface RequestLike {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: unknown
}

/** Whose access token this is, by the identity provider's userinfo endpoint; null when it does not say. */
export async function userinfo(accessToken: string): Promise<Claims | null> {
  try {
    const provider = await identityProvider()
    const { client } = asClient()
    const response = await oauth.userInfoRequest(provider, client, accessToken, overExchange())
    return await oauth.processUserInfoResponse(provider, client, oauth.skipSubjectCheck, response)
  } catch (error) {
    log().warn(
      { event: 'userinfo', error: error instanceof Error ? error.name : 'unknown' },
      'no answer that can be used',
    )
    return null
  }
}
