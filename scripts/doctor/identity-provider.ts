import type { Config } from '#lib/config/config.ts'
import {
  authenticateClient,
  clientAuthMethod,
  DiscoveryFailed,
  readDiscovery,
} from '#lib/session/sign-in/identity-provider.ts'
import { acceptedAlgorithms } from '#lib/session/sign-in/provider-token.ts'
import { ask, isFinding } from './ask.ts'
import { type Finding, found, good, note } from './faults.ts'
import { clockFinding } from './service.ts'

const NAME = 'OIDC_ISSUER'
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const PUSHED = 'pushed_authorization_request_endpoint'
const SIGNING = 'token_endpoint_auth_signing_alg_values_supported'
type Document = Readonly<Record<string, unknown>>

const listIn = (document: Document, name: string): readonly unknown[] | null =>
  Array.isArray(document[name]) ? (document[name] as readonly unknown[]) : null

export async function lookAtProvider(config: Config): Promise<readonly Finding[]> {
  const { issuer } = config.sso
  const answer = await ask(NAME, `${issuer}/.well-known/openid-configuration`)
  if (isFinding(answer)) return [answer]
  const document = documentIn(answer.status, answer.text)
  if (document === null) return [found('not-a-provider', NAME, `it says ${answer.status}`)]
  const clock = clockFinding(NAME, answer.aheadSeconds)
  const faults = [
    ...discoveryFaults(document, config),
    ...(await Promise.all([signInFaults(document, config), keyFaults(document)])).flat(),
  ]
  const all = clock === null ? faults : [...faults, clock]
  return all.some(({ level }) => level === 'wrong') ? all : [good(`${NAME} is a usable identity provider.`), ...all]
}

function documentIn(status: number, text: string): Document | null {
  if (status !== 200) return null
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null && 'issuer' in document ? (document as Document) : null
  } catch {
    return null
  }
}

/** As a sign-in, which sends its secret to no other provider. */
async function signInFaults(document: Document, config: Config): Promise<readonly Finding[]> {
  const { issuer } = config.sso
  if (!isIssuer(document, issuer)) return [found('issuer', NAME, String(document.issuer))]
  try {
    await readDiscovery(issuer)
  } catch (error) {
    return [found('discovery', NAME, error instanceof DiscoveryFailed ? error.why : undefined)]
  }
  return await clientFaults(document, config)
}

// The configuration drops the trailing slash of an issuer.
const isIssuer = (document: Document, issuer: string): boolean => String(document.issuer).replace(/\/$/, '') === issuer

async function keyFaults({ jwks_uri: address }: Document): Promise<readonly Finding[]> {
  if (typeof address !== 'string' || !URL.canParse(address)) return []
  const answer = await ask(`${NAME}’s jwks_uri`, address)
  if (isFinding(answer)) return [answer]
  const keys = /"keys"\s*:\s*\[\s*\{/.test(answer.text)
  return answer.status === 200 && keys ? [] : [found('keys', NAME, `it says ${answer.status}`)]
}

function discoveryFaults(document: Document, { sso, staffClaim }: Config): readonly Finding[] {
  const findings: Finding[] = []
  const isPushed = document.require_pushed_authorization_requests === true
  const isRead = sso.userinfoMinutes !== null
  for (const endpoint of [...ENDPOINTS, ...(isPushed ? [PUSHED] : []), ...(isRead ? ['userinfo_endpoint'] : [])])
    if (typeof document[endpoint] !== 'string') findings.push(found('endpoint', NAME, endpoint))
  const methods = listIn(document, 'code_challenge_methods_supported')
  if (methods === null) findings.push(found('pkce-unlisted', NAME, undefined, 'note'))
  else if (!methods.includes('S256')) findings.push(found('pkce', NAME))
  findings.push(...algorithmFindings(document, sso.idTokenAlg))
  const scopes = listIn(document, 'scopes_supported')
  const missing = sso.scope.split(/\s+/).filter((scope) => scopes !== null && !scopes.includes(scope))
  if (!sso.needsRefreshToken)
    findings.push(note('OIDC_OFFLINE_ACCESS is off: without a refresh token a session ends with its access token.'))
  if (missing.length > 0) findings.push(found('scopes', NAME, missing.join(', '), 'note'))
  const claims = listIn(document, 'claims_supported')
  const wanted = [sso.userIdClaim, ...(staffClaim === null ? [] : [staffClaim.name])]
  const isListed = (name: string) => claims?.includes(name) || claims?.includes(name.split('.', 1).join(''))
  const unnamed = wanted.filter((claim) => claims !== null && !isListed(claim))
  // A provider may give claims that it does not list.
  if (unnamed.length > 0) findings.push(found('claim', NAME, unnamed.join(', '), 'note'))
  if (document.backchannel_logout_supported !== true) findings.push(found('back-channel', NAME, undefined, 'note'))
  return findings
}

function algorithmFindings(document: Document, pinned: Config['sso']['idTokenAlg']): readonly Finding[] {
  const name = 'id_token_signing_alg_values_supported'
  const listed = listIn(document, name)?.map(String)
  const accepted = acceptedAlgorithms(listed === undefined ? {} : { [name]: listed }, pinned)
  if (accepted.length === 0) return [found('algorithms', NAME, listed?.join(', '))]
  const isListed = listed === undefined || accepted.some((algorithm) => listed.includes(algorithm))
  return isListed || pinned === null ? [] : [found('algorithm-unlisted', NAME, pinned, 'note')]
}

/** Redeems an invalid code: a provider that accepts the client refuses the code, otherwise the client. */
async function clientFaults(document: Document, { sso, baseUrl }: Config): Promise<readonly Finding[]> {
  const endpoint = document.token_endpoint
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return []
  if (sso.issuer.startsWith('https:') && new URL(endpoint).protocol !== 'https:')
    return [found('endpoint', NAME, 'token_endpoint with https')]
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'no-code',
    code_verifier: 'v'.repeat(43),
    redirect_uri: `${baseUrl}/api/auth/callback/sso`,
  })
  const [methods, algorithms] = ['token_endpoint_auth_methods_supported', SIGNING].map((name) =>
    listIn(document, name)?.map(String),
  )
  const provider = {
    issuer: String(document.issuer),
    token_endpoint: endpoint,
    ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods }),
    ...(algorithms === undefined ? {} : { [SIGNING]: algorithms }),
  }
  const headers = new Headers()
  await authenticateClient(sso)(provider, { client_id: sso.clientId }, body, headers)
  const answer = await ask(`${NAME}’s token endpoint`, endpoint, { method: 'POST', body, headers })
  if (isFinding(answer)) return [answer]
  const refused = answer.status === 401 || /"(invalid|unauthorized)_client"/.test(answer.text)
  return refused ? [found('client', NAME, `it was asked with ${clientAuthMethod(sso, provider)}`)] : []
}
