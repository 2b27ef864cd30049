import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SignInMethod } from '#lib/session/session.ts'
import { rowOf } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, REFRESH_TOKEN, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { signOut } from './sign-out.ts'

const ID_TOKEN = 'canary-id-token'

const started: TokenEndpoint[] = []
let provider: TokenEndpoint

/** Each test has a provider of its own, since its discovery document is kept. */
beforeEach(async () => {
  provider = await TokenEndpoint.start()
  started.push(provider)
  await freshConsole({ OIDC_ISSUER: provider.issuer })
})
beforeAll(() => {
  started.length = 0
})
afterAll(async () => {
  await Promise.all(started.map((endpoint) => endpoint.stop()))
})

async function signedIn(method: SignInMethod = 'sso', idToken = ID_TOKEN, refreshToken = REFRESH_TOKEN) {
  const now = Date.now()
  const tokens = {
    accessToken: 'access',
    refreshToken,
    idToken,
    receivedAt: new Date(now).toISOString(),
    endsAt: new Date(now + 600_000).toISOString(),
  }
  return await openForTest(await signInForTest({ method, tokens }))
}

test('the session ends, its refresh token is revoked, and the browser goes to end the provider’s session', async () => {
  const session = await signedIn()
  const { to, state } = await signOut(session)
  expect(await rowOf(session)).toBeUndefined()
  expect(provider.revoked).toEqual([REFRESH_TOKEN])
  const address = new URL(to)
  expect(address.origin + address.pathname).toBe(`${provider.issuer}/end`)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: 'operator-console',
    post_logout_redirect_uri: 'http://localhost:3000/signed-out',
    state,
  })
  expect(state).toMatch(/^[\w-]{22}$/)
  expect(to).not.toContain('canary')
})

test('two sign-outs have two states', async () => {
  const [one, other] = [await signOut(await signedIn()), await signOut(await signedIn())]
  expect(one.state).not.toBe(other.state)
})

test('with OIDC_LOGOUT_HINT=on the ID token goes along, and no other token', async () => {
  await freshConsole({ OIDC_ISSUER: provider.issuer, OIDC_LOGOUT_HINT: 'on' })
  const { to } = await signOut(await signedIn())
  expect(new URL(to).searchParams.get('id_token_hint')).toBe(ID_TOKEN)
  expect(to).not.toContain(REFRESH_TOKEN)
})

test('leaves out an ID token that makes the address too long', async () => {
  await freshConsole({ OIDC_ISSUER: provider.issuer, OIDC_LOGOUT_HINT: 'on' })
  const lengthWith = async (idToken: string) => (await signOut(await signedIn('sso', idToken))).to.length
  const rest = (await lengthWith('t')) - 1
  expect(await lengthWith('t'.repeat(6000 - rest))).toBe(6000)
  const { to, state } = await signOut(await signedIn('sso', 't'.repeat(6001 - rest)))
  expect(Object.fromEntries(new URL(to).searchParams)).toEqual({
    client_id: 'operator-console',
    post_logout_redirect_uri: 'http://localhost:3000/signed-out',
    state,
  })
})

test('an address of the provider that has a query keeps it', async () => {
  provider.discovery = { end_session_endpoint: `${provider.issuer}/end?realm=a` }
  const { to } = await signOut(await signedIn())
  expect(new URL(to).searchParams.get('realm')).toBe('a')
})

test('a provider that takes no tokens back is still asked to end its session', async () => {
  provider.discovery = { revocation_endpoint: undefined }
  const { to } = await signOut(await signedIn())
  expect(to).toContain('/end?')
  expect(provider.revoked).toEqual([])
})

test('a provider that offers no sign-out leaves the browser here, which says so', async () => {
  provider.discovery = { end_session_endpoint: undefined }
  expect(await signOut(await signedIn())).toEqual({ to: '/signed-out?only=here', state: null })
  expect(provider.revoked).toEqual([REFRESH_TOKEN])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])(
  'a provider that names %j to sign out at leaves the browser here',
  async (end_session_endpoint) => {
    provider.discovery = { end_session_endpoint }
    expect(await signOut(await signedIn())).toEqual({ to: '/signed-out?only=here', state: null })
  },
)

test('a provider that does not answer keeps nobody signed in here', async () => {
  const session = await signedIn()
  await provider.stop()
  started.pop()
  expect(await signOut(session)).toEqual({ to: '/signed-out?only=here', state: null })
  expect(await rowOf(session)).toBeUndefined()
})

test('a session without a refresh token ends while the provider is out', async () => {
  const session = await signedIn('sso', ID_TOKEN, '')
  await provider.stop()
  started.pop()
  expect(await signOut(session)).toEqual({ to: '/signed-out?only=here', state: null })
  expect(await rowOf(session)).toBeUndefined()
})

test('a password sign-out tells no provider', async () => {
  expect(await signOut(await signedIn('password'))).toEqual({ to: '/signed-out', state: null })
  expect(provider.revoked).toEqual([])
})
