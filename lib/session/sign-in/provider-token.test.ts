import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idTokenAlgs } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { handleLogoutToken } from '#lib/session/sign-out/back-channel-logout.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'
import { redeemCode } from '#lib/session/vault/tokens.ts'
import { expireAccess } from '#lib/testing/signed-in.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { acceptedAlgorithms } from './provider-token.ts'

const CHECKS = { state: 'state', nonce: 'nonce', verifier: 'verifier' }
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

let provider: TokenEndpoint

beforeAll(async () => {
  provider = await TokenEndpoint.start()
  await provider.publishKeys(...idTokenAlgs)
})
afterAll(() => provider.stop())
beforeEach(() => {
  provider.reset()
  for (const name of ['identity provider', 'provider keys']) putPerProcess(name, undefined)
})

const listed = (...algorithms: readonly string[]) => ({ id_token_signing_alg_values_supported: algorithms })

async function redeemed(header: { readonly alg: string; readonly kid?: string }, claims: object = {}) {
  provider.more = { id_token: await provider.sign({ nonce: CHECKS.nonce, ...claims }, header) }
  const result = await redeemCode({ code: 'code', state: CHECKS.state }, CHECKS, 'http://localhost:3000/')
  return result.ok ? 'verified' : result.cause
}

/** Whether a refresh believes a token that takes the staff claim away. */
async function isBelievedAtRefresh(alg: string): Promise<boolean> {
  const session = await openForTest(await signInForTest({ idpSubject: 'subject-1' }))
  await expireAccess(session)
  provider.more = { id_token: await provider.sign({ groups: [] }, { alg }) }
  return !(await accessToken(session)).ok
}

const logoutToken = (alg: string) =>
  provider.sign({ jti: crypto.randomUUID(), sid: 'sid-1', events: EVENTS }, { alg, typ: 'logout+jwt' })

describe.each(idTokenAlgs)('%s', (alg) => {
  test.each([
    ['discovery lists it', () => listed('HS256', 'none', alg), {}],
    ['OIDC_ID_TOKEN_ALG names it', () => listed('HS256'), { OIDC_ID_TOKEN_ALG: alg }],
  ])('is accepted from sign-in, refresh and logout where %s', async (_where, discovery, change) => {
    provider.discovery = discovery()
    await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url, ...change })
    expect(await redeemed({ alg })).toBe('verified')
    expect(await isBelievedAtRefresh(alg)).toBe(true)
    expect(await handleLogoutToken(await logoutToken(alg))).toBe('done')
  })

  test('is refused where another one is pinned', async () => {
    provider.discovery = listed(...idTokenAlgs)
    const pinned = alg === 'RS256' ? 'ES256' : 'RS256'
    await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url, OIDC_ID_TOKEN_ALG: pinned })
    expect(await redeemed({ alg })).toBe('algorithm')
    expect(await isBelievedAtRefresh(alg)).toBe(false)
    expect(await handleLogoutToken(await logoutToken(alg))).toBe('invalid')
  })

  test('hashes the access token by its own hash', async () => {
    provider.discovery = listed(alg)
    configureForTest({ OIDC_ISSUER: provider.issuer })
    const bits = alg.startsWith('Ed') ? '512' : alg.slice(2)
    const digest = Buffer.from(await crypto.subtle.digest(`SHA-${bits}`, Buffer.from('access-1')))
    const half = digest.subarray(0, digest.length / 2)
    expect(await redeemed({ alg }, { at_hash: half.toString('base64url') })).toBe('verified')
    expect(await redeemed({ alg }, { at_hash: half.toString('base64url') })).toBe('access-token-hash')
  })
})

test('treats both names of Ed25519 as one', async () => {
  provider.discovery = listed('EdDSA')
  configureForTest({ OIDC_ISSUER: provider.issuer })
  expect(await redeemed({ alg: 'Ed25519', kid: 'EdDSA' })).toBe('verified')
  expect(await redeemed({ alg: 'EdDSA', kid: 'Ed25519' })).toBe('verified')
})

test('tries every key for a token that names none', async () => {
  const { jwks } = provider
  provider.discovery = listed('ES256')
  configureForTest({ OIDC_ISSUER: provider.issuer })
  try {
    const others = await TokenEndpoint.start()
    await others.publishKeys('ES256')
    await others.stop()
    const keys = [...(others.jwks?.keys ?? []), ...(jwks?.keys ?? [])].map((key) => ({ ...key, kid: undefined }))
    provider.jwks = { keys }
    expect(await redeemed({ alg: 'ES256', kid: undefined })).toBe('verified')
    provider.jwks = { keys: keys.slice(0, 1).flatMap((key) => [key, key]) }
    putPerProcess('provider keys', undefined)
    expect(await redeemed({ alg: 'ES256', kid: undefined })).toBe('signature')
  } finally {
    provider.jwks = jwks
  }
})

test.each([
  [undefined, null, ['RS256']],
  [['none', 'HS256', 'RS256', 'HS512', 'ES256'], null, ['RS256', 'ES256']],
  [['none', 'HS256'], null, []],
  [['EdDSA'], null, ['EdDSA', 'Ed25519']],
  [['RS256'], 'PS384', ['PS384']],
  [undefined, 'Ed25519', ['Ed25519', 'EdDSA']],
] as const)('narrows %j, pinned to %j, to %j', (algorithms, pinned, accepted) => {
  const discovery = algorithms === undefined ? {} : listed(...algorithms)
  expect(acceptedAlgorithms(discovery, pinned)).toEqual(accepted)
})
