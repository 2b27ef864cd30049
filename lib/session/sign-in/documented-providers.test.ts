import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { redeemCode } from '#lib/session/vault/tokens.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { readStaffClaim } from './admission.ts'
import { readTextClaim } from './claim.ts'

const CHECKS = { state: 'state', nonce: 'nonce', verifier: 'verifier' }
const OIDC_CLIENT_SECRET = 'sandbox-console-secret'

let provider: TokenEndpoint
const folder = mkdtempSync(join(tmpdir(), 'console-providers-'))

beforeAll(async () => {
  provider = await TokenEndpoint.start()
  await provider.publishKeys('RS256')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [pem, certificate] = [join(folder, 'CONSOLE.pem'), join(folder, 'certificate')]
  writeFileSync(pem, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const subject = ['-subj', '/CN=console', '-days', '1', '-key', pem, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-new', ...subject], { stdio: 'pipe' })
  writeFileSync(pem, readFileSync(certificate), { flag: 'a' })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'key-1' }
  writeFileSync(join(folder, 'CONSOLE.json'), JSON.stringify(jwk), { mode: 0o600 })
})
afterAll(async () => {
  await provider.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  provider.reset()
  for (const name of ['identity provider', 'provider keys']) putPerProcess(name, undefined)
})

/** The variables of a section of docs/operations.md, with their issuer as it is written. */
function documented(section: string): Readonly<Record<string, string>> {
  const [, text = ''] = readFileSync('docs/operations.md', 'utf8').split(`\n### ${section}\n`)
  const block = /```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const pairs = [...block.matchAll(/^([A-Z_]+)=(?:'([^']*)'|(\S*))$/gm)]
  expect(pairs.length, section).toBe(block.trim().split('\n').length)
  return Object.fromEntries(pairs.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']))
}

interface Shape {
  /** Its issuer ends with a slash. */
  readonly slash?: true
  readonly discovery: Readonly<Record<string, unknown>>
  readonly staff: Readonly<Record<string, unknown>>
  readonly other: Readonly<Record<string, unknown>>
}

/** As these providers answer; the names are those of the section. */
const shapes: Readonly<Record<string, Shape>> = {
  Keycloak: {
    discovery: {
      code_challenge_methods_supported: ['plain', 'S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
    },
    staff: { realm_access: { roles: ['offline_access', 'console-operator'] }, azp: 'operator-console' },
    other: {
      realm_access: { roles: ['offline_access'] },
      resource_access: { account: { roles: ['console-operator'] } },
    },
  },
  'Microsoft Entra ID': {
    discovery: {
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      revocation_endpoint: undefined,
    },
    staff: { oid: 'person-1', roles: ['Console.Operator'], ver: '2.0', tid: 'TENANT' },
    other: { oid: 'person-1', _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
  },
  Okta: {
    discovery: {
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      token_endpoint_auth_signing_alg_values_supported: ['HS256', 'RS256', 'ES256'],
    },
    staff: { groups: ['Everyone', 'console-operators'], ver: 1, amr: ['pwd', 'mfa'] },
    other: { groups: ['Everyone'] },
  },
  Auth0: {
    slash: true,
    discovery: {
      code_challenge_methods_supported: ['S256', 'plain'],
      id_token_signing_alg_values_supported: ['HS256', 'RS256', 'PS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    },
    staff: { 'https://console.example/roles': ['console-operator'] },
    other: { 'https://console.example/roles': [], roles: ['console-operator'] },
  },
  'LemonLDAP::NG': {
    slash: true,
    discovery: {
      code_challenge_methods_supported: ['plain', 'S256'],
      id_token_signing_alg_values_supported: ['none', 'HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      revocation_endpoint: undefined,
    },
    staff: { aud: ['operator-console'], azp: 'operator-console', acr: 'loa-2', groups: ['users', 'console-operators'] },
    other: { aud: ['operator-console'], azp: 'operator-console', acr: 'loa-2', groups: ['users'] },
  },
}

test.each(Object.keys(shapes))('signs in as docs/operations.md says: %s', async (section) => {
  const { slash, discovery, staff, other } = shapes[section] as Shape
  const variables = documented(section)
  const file = variables.OIDC_CLIENT_KEY_FILE?.replace('/etc/console', folder)
  configureForTest({
    ...variables,
    ...(file === undefined ? { OIDC_CLIENT_SECRET } : { OIDC_CLIENT_KEY_FILE: file, OIDC_CLIENT_SECRET: '' }),
    OIDC_ISSUER: provider.issuer + (variables.OIDC_ISSUER?.endsWith('/') ? '/' : ''),
  })
  const issuer = provider.issuer + (slash ? '/' : '')
  provider.discovery = { issuer, ...discovery }
  const answer = {
    code: 'code',
    state: CHECKS.state,
    ...('authorization_response_iss_parameter_supported' in discovery ? { iss: issuer } : {}),
  }
  const shapeOf = async (claims: Readonly<Record<string, unknown>>) => {
    provider.more = { id_token: await provider.sign({ iss: issuer, nonce: CHECKS.nonce, ...claims }) }
    const redeemed = await redeemCode(answer, CHECKS, 'http://localhost:3000/')
    if (!redeemed.ok) return redeemed.cause
    expect(readTextClaim(redeemed.claims, config().sso.userIdClaim)).not.toBeNull()
    return readStaffClaim(redeemed.claims)?.shape
  }
  expect(await shapeOf(staff)).toBe('match')
  expect(await shapeOf(other)).toMatch(/^(no-match|absent|overage)$/)
  const [sent] = provider.received
  const audience = variables.OIDC_CLIENT_ASSERTION_AUD === 'endpoint' ? `${provider.issuer}/token` : undefined
  expect(sent?.assertion?.claims.aud).toBe(audience)
})
