import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { putPerProcess, steadyNow } from '#lib/config/per-process.ts'
import { readStaffClaim } from '#lib/session/sign-in/admission.ts'
import type { SignInCause } from '#lib/session/sign-in/failure.ts'
import { identityProvider } from '#lib/session/sign-in/identity-provider.ts'
import { CLOCK_TOLERANCE_SECONDS } from '#lib/session/sign-in/provider-token.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { type AuthorizationAnswer, redeemCode, refreshWithSso, revokeWithSso } from './tokens.ts'

const CHECKS = { state: 'canary-state', nonce: 'canary-nonce', verifier: 'canary-verifier' }
const ANSWER = { code: 'canary-code', state: CHECKS.state }
const REDIRECT = 'http://localhost:3000/api/auth/callback/sso'

let provider: TokenEndpoint
let stranger: TokenEndpoint
let printed: string[]
/** What the browser brings back. */
let brought: AuthorizationAnswer

beforeAll(async () => {
  provider = await TokenEndpoint.start()
  stranger = await TokenEndpoint.start()
  await Promise.all([provider.publishKeys('RS256', 'ES256'), stranger.publishKeys('RS256')])
})
afterAll(() => Promise.all([provider.stop(), stranger.stop()]))

beforeEach(async () => {
  provider.reset()
  provider.discovery = {}
  brought = ANSWER
  provider.more = { id_token: await provider.sign({ nonce: CHECKS.nonce }) }
  configure()
})

/** A console that has not asked the provider yet, and what it logs. */
function configure(change: Readonly<Record<string, string>> = {}): void {
  configureForTest({ OIDC_ISSUER: provider.issuer, ...change })
  for (const name of ['identity provider', 'provider keys']) putPerProcess(name, undefined)
  printed = []
  putPerProcess('log', pino({}, { write: (line: string) => void printed.push(line) }))
}

const redeem = (answer: AuthorizationAnswer = ANSWER) => redeemCode(answer, CHECKS, REDIRECT)

const now = (): number => Math.floor(Date.now() / 1000)

describe('client authentication', () => {
  /** Signs in, renews and revokes. */
  async function sendAll() {
    const redeemed = await redeem()
    const refreshed = await refreshWithSso('refresh-0')
    return [redeemed.ok, refreshed.kind, await revokeWithSso('refresh-0'), provider.revoked]
  }
  const ACCEPTED = [true, 'refreshed', 'answered', ['refresh-0']]

  test.each(['-', '_', '.', '~', 'plain-secret_with.all~four'])(
    'works for providers that do not decode %j',
    async (secret) => {
      configure({ OIDC_CLIENT_SECRET: `a${secret}b` })
      for (const decodes of [false, true]) {
        provider.reset()
        provider.more = { id_token: await provider.sign({ nonce: CHECKS.nonce }) }
        provider.client = { id: 'operator-console', secret: `a${secret}b`, decodes }
        expect(await sendAll(), String(decodes)).toEqual(ACCEPTED)
      }
    },
  )

  test.each([':', '+', '/', '=', '%', '&', 'a b', 'é', '%2D', "!*'()", '日本'])('encodes %j', async (part) => {
    const secret = `a${part}b`
    configure({ OIDC_CLIENT_SECRET: secret })
    provider.client = { id: 'operator-console', secret, decodes: true }
    expect(await sendAll()).toEqual(ACCEPTED)
    expect(new Set(provider.received.map(({ basic }) => basic))).toEqual(
      new Set([`operator-console:${encodeURIComponent(secret)}`]),
    )
  })

  test.each([
    [{ OIDC_CLIENT_AUTH: 'post' }, undefined],
    [{ OIDC_CLIENT_AUTH: 'post' }, ['client_secret_basic']],
    [{}, ['client_secret_post']],
    [{}, ['private_key_jwt', 'client_secret_post']],
  ])('is in the body with %j where discovery lists %j', async (change, listed) => {
    provider.discovery = { token_endpoint_auth_methods_supported: listed }
    configure({ ...change, OIDC_CLIENT_SECRET: 'a-b+c d' })
    provider.client = { id: 'operator-console', secret: 'a-b+c d', decodes: true }
    expect(await sendAll()).toEqual(ACCEPTED)
    expect(provider.received.map(({ basic }) => basic)).toEqual([null, null, null])
  })

  test.each([
    [{ OIDC_CLIENT_AUTH: 'basic' }, ['client_secret_post']],
    [{}, ['client_secret_post', 'client_secret_basic']],
    [{}, ['private_key_jwt']],
    [{}, undefined],
  ])('is in the header with %j where discovery lists %j', async (change, listed) => {
    provider.discovery = { token_endpoint_auth_methods_supported: listed }
    configure(change)
    expect(await sendAll()).toEqual(ACCEPTED)
    expect(provider.received.map(({ basic }) => basic)).not.toContain(null)
  })
})

describe('private_key_jwt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-assertion-'))
  const file = join(folder, 'key.json')
  let publicKey: CryptoKey
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true })
    publicKey = pair.publicKey
    writeFileSync(file, JSON.stringify({ ...(await exportJWK(pair.privateKey)), kid: 'key-1' }), { mode: 0o600 })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const own = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_KEY_FILE: file, OIDC_CLIENT_SECRET: '' }

  test.each([
    ['issuer', () => [provider.issuer, provider.issuer, provider.issuer]],
    ['endpoint', () => ['token', 'token', 'revoke'].map((path) => `${provider.issuer}/${path}`)],
  ] as const)('signs in, renews and revokes for the %s', async (audience, audiences) => {
    configure({ ...own, OIDC_CLIENT_ASSERTION_AUD: audience })
    set({ clientKey: publicKey })
    expect([(await redeem()).ok, (await refreshWithSso('refresh-0')).kind]).toEqual([true, 'refreshed'])
    expect(await revokeWithSso('refresh-0')).toBe('answered')
    const assertions = provider.received.map(({ assertion }) => assertion)
    expect(assertions.map((one) => one?.claims.aud)).toEqual(audiences())
    expect(new Set(assertions.map((one) => one?.claims.jti)).size).toBe(3)
    for (const { form, basic, assertion } of provider.received) {
      expect(assertion?.header).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'key-1' })
      const { iss, sub, iat = 0, nbf = 0, exp = 0 } = assertion?.claims ?? {}
      expect([iss, sub, basic]).toEqual(['operator-console', 'operator-console', null])
      expect([iat - nbf, exp - nbf]).toEqual([CLOCK_TOLERANCE_SECONDS, 300])
      expect(form.has('client_secret')).toBe(false)
    }
  })

  test('names a key that the provider does not know', async () => {
    configure(own)
    set({ clientKey: (await generateKeyPair('ES256')).publicKey })
    expect(await redeem()).toMatchObject({ ok: false, cause: 'client-authentication' })
    const sent = provider.received[0]?.form.get('client_assertion')
    expect(printed.join('')).not.toContain(sent)
  })

  test.each([
    ['RS256', undefined, 'RS256'],
    ['RS256', ['HS256', 'PS256'], 'PS256'],
    ['RS256', ['HS256'], 'RS256'],
    ['ES256', ['RS256'], 'ES256'],
    ['ES384', undefined, 'ES384'],
    ['ES512', undefined, 'ES512'],
    ['Ed25519', undefined, 'EdDSA'],
    ['Ed25519', ['Ed25519'], 'Ed25519'],
  ])('signs with a key for %s, where discovery lists %j, by %s', async (made, listed, alg) => {
    const pair = await generateKeyPair(made, { extractable: true })
    const { alg: _, ...jwk } = await exportJWK(pair.privateKey)
    writeFileSync(file, JSON.stringify(jwk), { mode: 0o600 })
    configure(own)
    const published = { ...(await exportJWK(pair.publicKey)), alg }
    set({ discovery: { token_endpoint_auth_signing_alg_values_supported: listed } })
    set({ clientKey: (await importJWK(published)) as CryptoKey })
    expect((await redeem()).ok).toBe(true)
    expect(provider.received.map(({ assertion }) => assertion?.header.alg)).toEqual([alg])
  })
})

describe('a sign-in', () => {
  test('sends the code once, with its verifier and address', async () => {
    expect(await redeem({ ...ANSWER, iss: provider.issuer })).toMatchObject({
      ok: true,
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' },
      claims: { sub: 'subject-1' },
    })
    expect(provider.received.map(({ form }) => Object.fromEntries(form))).toEqual([
      { grant_type: 'authorization_code', code: ANSWER.code, code_verifier: CHECKS.verifier, redirect_uri: REDIRECT },
    ])
  })

  test.each([undefined, 0, -1, 'soon', 1e300])('assumes five minutes for a token that lives %j', async (life) => {
    provider.more = { ...provider.more, expires_in: life }
    const redeemed = await redeem()
    if (!redeemed.ok) throw new Error(redeemed.cause)
    expect(Date.parse(redeemed.tokens.endsAt) - Date.parse(redeemed.tokens.receivedAt)).toBe(300_000)
  })

  test('goes without a refresh token where OIDC_OFFLINE_ACCESS is off', async () => {
    provider.more = { ...provider.more, refresh_token: undefined }
    configure({ OIDC_OFFLINE_ACCESS: 'off' })
    const redeemed = await redeem()
    expect(redeemed.ok && redeemed.tokens.refreshToken).toBe('')
    expect([await revokeWithSso(''), provider.revoked]).toEqual(['not-offered', []])
    set({ answer: refusal('invalid_scope', OFFLINE) })
    expect(await redeem()).toMatchObject({ ok: false, cause: 'scope' })
  })

  test('accepts a discovery document that is sent as plain text', async () => {
    provider.discoveryType = 'text/plain'
    expect((await redeem()).ok).toBe(true)
  })
})

describe('a provider', () => {
  const SLASHES = [
    ['issuer without a slash', '', ''],
    ['issuer with a slash only in discovery', '/', ''],
    ['issuer with a slash only in OIDC_ISSUER', '', '/'],
    ['issuer with a slash in both', '/', '/'],
  ] as const

  test('is discovered again after the clock was set back', async () => {
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    await identityProvider()
    vi.setSystemTime(Date.now() - 3_600_000)
    steadyNow()
    vi.setSystemTime(Date.now() + 60_000)
    provider.discovery = { end_session_endpoint: provider.url }
    expect(await identityProvider(60_000)).toMatchObject(provider.discovery)
  })

  test.each(SLASHES)('may have an %s', async (_what, named, configured) => {
    const issuer = provider.issuer + named
    set({ discovery: { issuer, authorization_response_iss_parameter_supported: true } })
    configure({ OIDC_ISSUER: provider.issuer + configured })
    await signed({ iss: issuer })
    expect((await redeem({ ...ANSWER, iss: issuer })).ok).toBe(true)
    for (const iss of [`${issuer}x`, named === '' ? `${issuer}/` : provider.issuer, '', issuer.toUpperCase()]) {
      expect(await redeem({ ...ANSWER, iss }), iss).toMatchObject({ ok: false, cause: 'response-issuer' })
    }
    await signed({ iss: `${issuer}/` })
    expect(await redeem({ ...ANSWER, iss: issuer })).toMatchObject({ ok: false, cause: 'issuer' })
  })

  test('may rotate its keys between two sign-ins', async () => {
    const { jwks } = provider
    try {
      set({ discovery: { id_token_signing_alg_values_supported: ['RS256', 'ES256'] } })
      provider.jwks = { keys: (jwks?.keys ?? []).slice(0, 1) }
      expect((await redeem()).ok).toBe(true)
      // Another key id, and then another key under a known id.
      provider.jwks = { keys: (jwks?.keys ?? []).slice(1) }
      await signed({}, { alg: 'ES256' })
      expect((await redeem()).ok).toBe(true)
      provider.jwks = { keys: [] }
      await provider.publishKeys('ES256')
      await signed({}, { alg: 'ES256' })
      expect((await redeem()).ok).toBe(true)
      await stranger.publishKeys('ES256')
      carried(await stranger.sign(right(), { alg: 'ES256' }))
      expect(await redeem()).toMatchObject({ ok: false, cause: 'signature' })
    } finally {
      provider.jwks = { keys: [] }
      await provider.publishKeys('RS256', 'ES256')
    }
  })

  test('may send an ID token of 30 kB', async () => {
    const groups = Array.from({ length: 600 }, () => crypto.randomUUID())
    await signed({ groups: [...groups, 'console-operators'] })
    expect(String(provider.more.id_token).length).toBeGreaterThan(30_000)
    const redeemed = await redeem()
    expect(redeemed.ok && readStaffClaim(redeemed.claims)?.shape).toBe('match')
  })
})

/** Each is one thing wrong with a sign-in that is right in all else. */
const failing: readonly (readonly [SignInCause, what: string, spoil: () => unknown])[] = [
  ['discovery-unreachable', 'no answer', () => configure({ OIDC_ISSUER: 'http://127.0.0.1:9' })],
  ['discovery-unreachable', 'a failing server', () => set({ discoveryStatus: 503 })],
  ['discovery-invalid', 'another page', () => configure({ OIDC_ISSUER: `${provider.url}/other` })],
  ['discovery-issuer', 'another issuer', () => set({ discovery: { issuer: 'https://canary.example' } })],
  ['discovery-invalid', 'no token endpoint', () => set({ discovery: { token_endpoint: undefined } })],
  ['state', 'another state', () => comeBack({ ...ANSWER, state: 'canary-other' })],
  ['state', 'no state', () => comeBack({ code: ANSWER.code })],
  ['response-issuer', 'another issuer beside the code', () => comeBack({ ...ANSWER, iss: 'https://canary.example' })],
  [
    'response-issuer',
    'no issuer beside the code, though it was announced',
    () => set({ discovery: { authorization_response_iss_parameter_supported: true } }),
  ],
  ['response', 'no code', () => comeBack({ state: CHECKS.state })],
  ['response', 'an ID token beside the code', () => comeBack({ ...ANSWER, id_token: 'canary-token' })],
  ['token-endpoint-unreachable', 'a lost answer', () => set({ discovery: { token_endpoint: 'http://127.0.0.1:9/' } })],
  ['token-endpoint-unreachable', 'a failing server', () => set({ answer: { status: 502, body: '<html>' } })],
  ['token-endpoint-unreachable', 'a limit', () => set({ answer: { status: 429, body: '{}' } })],
  ['token-endpoint-refused', 'a refusal in no words', () => set({ answer: { status: 403, body: '<html>' } })],
  ['token-endpoint-refused', 'unknown words', () => set({ answer: refusal('canary_error') })],
  ['token-answer', 'a page', () => set({ answer: { status: 200, body: '<html>' } })],
  ['token-answer', 'no access token', () => set({ more: { access_token: undefined } })],
  ['client-authentication', 'another secret', () => set({ client: { id: 'x', secret: 'x', decodes: true } })],
  ['client-authentication', 'an unknown client', () => set({ answer: refusal('invalid_client') })],
  ['client-authentication', '401 in no words', () => set({ answer: { status: 401, body: '' } })],
  ['code', 'a code that was used or is not its own', () => set({ answer: refusal('invalid_grant') })],
  ['scope', 'a scope', () => set({ answer: refusal('invalid_scope') })],
  ['offline-access', 'a scope that is offline_access', () => set({ answer: refusal('invalid_scope', OFFLINE) })],
  ['offline-access', 'offline tokens, as Keycloak does', () => set({ answer: refusal('not_allowed', OFFLINE) })],
  ['resource', 'a resource', () => set({ answer: refusal('invalid_target') })],
  ['no-id-token', 'no ID token', () => set({ more: {} })],
  ['no-refresh-token', 'no refresh token', () => set({ more: { ...provider.more, refresh_token: undefined } })],
  ['keys-unreachable', 'keys that cannot be read', () => set({ discovery: { jwks_uri: `${provider.url}/none` } })],
  ['key-unknown', 'a key that is not published', () => signed({}, { kid: 'stranger' })],
  ['algorithm', 'an algorithm that discovery does not list', () => signed({}, { alg: 'ES256' })],
  ['algorithm', 'an algorithm other than the pinned one', () => configure({ OIDC_ID_TOKEN_ALG: 'ES256' })],
  ['algorithm', 'no signature', () => carried(unsigned())],
  ['signature', 'a key of somebody else', async () => carried(await stranger.sign(right()))],
  ['not-a-token', 'a text', () => carried('canary-token')],
  ['issuer', 'another issuer', () => signed({ iss: 'https://canary.example' })],
  ['audience', 'another audience', () => signed({ aud: 'canary-client' })],
  ['audience', 'several audiences', () => signed({ aud: ['operator-console', 'canary-client'] })],
  ['audience', 'another authorized party', () => signed({ azp: 'canary-client' })],
  ['claims', 'no issuer', () => signed({ iss: undefined })],
  ['claims', 'no subject', () => signed({ sub: undefined })],
  ['claims', 'an empty subject', () => signed({ sub: '' })],
  ['claims', 'a time of issue that is text', () => signed({ iat: 'canary-time' })],
  ['clock', 'an end that has passed', () => signed({ exp: now() - CLOCK_TOLERANCE_SECONDS - 10 })],
  ['clock', 'a time of issue far ahead', () => signed({ iat: now() + CLOCK_TOLERANCE_SECONDS + 60 })],
  ['clock', 'a start far ahead', () => signed({ nbf: now() + CLOCK_TOLERANCE_SECONDS + 60 })],
  ['nonce', 'another nonce', () => signed({ nonce: 'canary-other' })],
  ['nonce', 'no nonce', () => signed({ nonce: undefined })],
  ['access-token-hash', 'the hash of another access token', () => signed({ at_hash: 'canary-hash' })],
]

const OFFLINE = 'canary: Offline tokens not allowed for the user or client'
const refusal = (error: string, words = 'canary-words') => ({
  status: 400,
  body: JSON.stringify({ error, error_description: words }),
})

const set = (change: Partial<TokenEndpoint>) => Object.assign(provider, change)
function comeBack(answer: AuthorizationAnswer): void {
  brought = answer
}
const right = () => ({ iss: provider.issuer, nonce: CHECKS.nonce })

function carried(idToken: string): void {
  provider.more = { ...provider.more, id_token: idToken }
}
async function signed(
  claims: Readonly<Record<string, unknown>>,
  header: { alg?: string; kid?: string } = {},
): Promise<void> {
  if (header.kid === undefined) return carried(await provider.sign({ ...right(), ...claims }, header))
  const [, payload, signature] = (await provider.sign({ ...right(), ...claims })).split('.')
  carried([encoded({ alg: 'RS256', ...header }), payload, signature].join('.'))
}
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (): string => `${encoded({ alg: 'none' })}.${encoded({ ...right(), sub: 'subject-1' })}.`

test.each(failing)('logs the cause %s for %s', async (cause, _what, spoil) => {
  await spoil()
  expect(await redeem(brought)).toMatchObject({ ok: false, cause })
  const lines = printed.map((line) => JSON.parse(line) as { readonly cause?: string })
  expect(lines.map((line) => line.cause)).toEqual([cause])
  expect(printed.join('')).not.toMatch(/canary|subject-1|access-1/)
})

test.each([
  ['iat', () => ({ iat: now() + CLOCK_TOLERANCE_SECONDS - 10 })],
  ['nbf', () => ({ nbf: now() + CLOCK_TOLERANCE_SECONDS - 10 })],
  ['exp', () => ({ exp: now() - CLOCK_TOLERANCE_SECONDS / 2 })],
])('accepts %s from a clock that differs by less than two minutes', async (_claim, claims) => {
  await signed(claims())
  expect((await redeem()).ok).toBe(true)
})

test('logs status and OAuth error of a refused revocation', async () => {
  provider.client = { id: 'x', secret: 'x', decodes: true }
  expect(await revokeWithSso('canary-refresh-token')).toBe('answered')
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({ status: 401, oauthError: 'invalid_client' })
  expect(printed.join('')).not.toContain('canary')
})
