import 'server-only'
import * as oauth from 'oauth4webapi'
import { config } from '#lib/config/config.ts'
import { exchange } from '#lib/http/exchange.ts'
import type { RefreshResult } from './refresh-result.ts'

const TIMEOUT_MS = 10_000
const DISCOVERY_LIFE_MS = 3_600_000

interface Discovered {
  readonly server: oauth.AuthorizationServer
  readonly until: number
}

const shared = globalThis as typeof globalThis & { consoleIssuer?: Discovered }

/** Token requests go through the same exchange as everything else, so nothing caches, retries or logs them. */
const http = {
  [oauth.allowInsecureRequests]: true,
  async [oauth.customFetch](url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> {
    const answer = await exchange({
      method: init.method,
      url: new URL(url),
      headers: init.headers,
      ...(init.body == null ? {} : { body: String(init.body) }),
      timeoutMs: TIMEOUT_MS,
      reuseConnection: false,
    })
    if (answer.kind !== 'answer') throw new TypeError(`the identity provider did not answer: ${answer.why}`)
    const contentType = answer.headers['content-type']
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
    })
  },
}

async function issuer(): Promise<oauth.AuthorizationServer> {
  if (shared.consoleIssuer !== undefined && shared.consoleIssuer.until > Date.now()) return shared.consoleIssuer.server
  const url = new URL(config().sso.issuer)
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, http))
  shared.consoleIssuer = { server, until: Date.now() + DISCOVERY_LIFE_MS }
  return server
}

/** Refreshes at the identity provider's token endpoint. 400 `invalid_grant` ends the session, nothing else does. */
export async function refreshWithSso(refreshToken: string): Promise<RefreshResult> {
  const { sso } = config()
  const client: oauth.Client = { client_id: sso.clientId }
  const authentication =
    sso.clientAuth === 'basic' ? oauth.ClientSecretBasic(sso.clientSecret) : oauth.ClientSecretPost(sso.clientSecret)
  const receivedAt = new Date()
  try {
    const server = await issuer()
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
      ...http,
      ...(sso.resource === null ? {} : { additionalParameters: { resource: sso.resource } }),
    })
    const result = await oauth.processRefreshTokenResponse(server, client, response)
    return {
      kind: 'refreshed',
      tokens: {
        accessToken: result.access_token,
        // A provider that does not rotate answers without a new one.
        refreshToken: result.refresh_token ?? refreshToken,
        receivedAt: receivedAt.toISOString(),
        endsAt: new Date(receivedAt.getTime() + (result.expires_in ?? 300) * 1000).toISOString(),
      },
    }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): RefreshResult {
  if (error instanceof oauth.ResponseBodyError) {
    if (error.error === 'invalid_grant') return { kind: 'over' }
    return { kind: error.status >= 500 || error.status === 429 ? 'unavailable' : 'refused' }
  }
  const status =
    error instanceof oauth.OperationProcessingError && error.cause instanceof Response ? error.cause.status : 0
  return { kind: status >= 400 && status < 500 && status !== 429 && status !== 408 ? 'refused' : 'unavailable' }
}
