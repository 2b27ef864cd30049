import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endedAsNoStaff } from '#lib/session/end-session.ts'
import { expireAccess, rowOf } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { accessToken } from './access-token.ts'
import { revokeAtEnds } from './revoke-ended.ts'
import { tokensOf } from './vault.ts'

type Signer = Parameters<SignJWT['sign']>[0]

const SUBJECT = 'subject-1'

let provider: TokenEndpoint
let key: Signer
let strangersKey: Signer

beforeAll(async () => {
  provider = await TokenEndpoint.start()
  const [own, strangers] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ])
  key = own.privateKey
  strangersKey = strangers.privateKey
  provider.jwks = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'renewed', alg: 'RS256', use: 'sig' }] }
})
afterAll(() => provider.stop())
beforeEach(() => revokeAtEnds())
beforeEach(async () => {
  provider.reset()
  await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url })
})

const idToken = (claims: Readonly<Record<string, unknown>>, by: Signer = key) =>
  new SignJWT({ sub: SUBJECT, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'renewed' })
    .setIssuer(provider.issuer)
    .setAudience('operator-console')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(by)

/** What comes of a refresh with which this ID token comes. */
async function renewWith(token: string, admittedBy: 'claim' | 'scopes' = 'claim') {
  if (admittedBy === 'scopes') {
    await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url, STAFF_CLAIM: '' })
  }
  const session = await openForTest(await signInForTest({ idpSubject: SUBJECT, admittedBy }))
  await expireAccess(session)
  provider.more = { id_token: token }
  return { session, answer: await accessToken(session) }
}

test.each([
  ['without the claim', {}],
  ['with other groups', { groups: ['wallet-users'] }],
])('a renewed ID token %s ends the session, and its tokens are revoked', async (_what, claims) => {
  const { session, answer } = await renewWith(await idToken(claims))
  expect(answer).toEqual({ ok: false, why: 'over' })
  expect([await rowOf(session), endedAsNoStaff(session.id)]).toEqual([undefined, true])
  await expect.poll(() => provider.revoked).toEqual(['refresh-1'])
})

test.each([
  ['that still tells staff', () => idToken({ groups: ['console-viewers'] })],
  ['of another subject', () => idToken({ sub: 'somebody else' })],
  ['that another key signed', () => idToken({}, strangersKey)],
  [
    'for another client',
    () =>
      new SignJWT({ sub: SUBJECT })
        .setProtectedHeader({ alg: 'RS256', kid: 'renewed' })
        .setIssuer(provider.issuer)
        .setAudience('another')
        .sign(key),
  ],
  ['that is none', async () => 'nonsense'],
])('one %s loses nothing', async (_what, token) => {
  const { session, answer } = await renewWith(await token())
  expect(answer).toEqual({ ok: true, token: 'access-1' })
  expect(tokensOf(session, (await rowOf(session))!)).toMatchObject({ refreshToken: 'refresh-1' })
})

test('where scopes decide, no claim ends anything', async () => {
  const { answer } = await renewWith(await idToken({}), 'scopes')
  expect(answer).toMatchObject({ ok: true })
})

test.each([
  [['console-operators'], false],
  [['console-operators', 'console-admins'], true],
])('a renewed ID token with the groups %j decides anew who administers', async (groups, administers) => {
  const settings = {
    OIDC_ISSUER: provider.issuer,
    CORE_API_URL: provider.url,
    STAFF_ADMIN_CLAIM: 'groups=console-admins',
  }
  await freshConsole(settings)
  const handle = await signInForTest({ idpSubject: SUBJECT, administers: !administers })
  const session = await openForTest(handle)
  expect(session.adminByClaim).toBe(!administers)
  await expireAccess(session)
  provider.more = { id_token: await idToken({ groups }) }
  expect(await accessToken(session)).toMatchObject({ ok: true })
  expect((await openForTest(handle)).adminByClaim).toBe(administers)
})
