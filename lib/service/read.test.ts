import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { read } from './client.ts'

let tokens: TokenEndpoint

beforeAll(async () => {
  tokens = await TokenEndpoint.start()
  await freshConsole({ OIDC_ISSUER: tokens.issuer, CORE_API_URL: tokens.url })
  tokens.answer = { status: 503 }
})
afterAll(() => tokens.stop())

test.each([
  ['sso', 'sign-on-out'],
  ['password', 'unreachable'],
] as const)('whoever renews tokens (%s) is what cannot be reached, when it is out', async (method, kind) => {
  const session = await signedIn(1.1, method)
  expect(await read(session, endpoints.users.scopes, { id: '1' })).toMatchObject({ ok: false, problem: { kind } })
})
