import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { SignInMethod } from '#lib/session/session.ts'
import { rowOf, signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type Answer, TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { accessToken, judge } from './access-token.ts'
import { login, refreshWithService } from './tokens.ts'

let provider: TokenEndpoint

beforeAll(async () => {
  provider = await TokenEndpoint.start()
})
afterAll(() => provider.stop())

beforeEach(async () => {
  await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url })
  provider.reset()
})

describe('what a renewal leaves a caller with', () => {
  const over = { ok: false, why: 'over' }
  test.each([
    ['renewed', 'a token that lives', { ok: true, token: 'new' }],
    ['renewed', null, { ok: true, token: 'new' }],
    ['over', 'a token that lives', over],
    ['over', null, over],
    ['refused', 'a token that lives', { ok: true, token: 'a token that lives' }],
    ['refused', null, over],
    ['unavailable', 'a token that lives', { ok: true, token: 'a token that lives' }],
    ['unavailable', null, { ok: false, why: 'unavailable' }],
  ] as const)('%s, having %s', (kind, usable, left) => {
    expect(judge(kind === 'renewed' ? { kind, token: 'new' } : { kind }, usable)).toEqual(left)
  })
})

test.each([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])('accepts a lifetime of %d seconds', async (seconds) => {
  const pair = { accessToken: 'access', refreshToken: 'refresh', expiresIn: seconds }
  provider.answer = { status: 200, body: JSON.stringify({ data: pair }) }
  expect(await login('operator@example.com', 'password')).toMatchObject({ ok: true })
  expect(await refreshWithService('refresh-0')).toMatchObject({ kind: 'refreshed' })
})

const oauthError = (status: number, error: string): Answer => ({ status, body: JSON.stringify({ error }) })
const html = (status: number): Answer => ({ status, body: '<html>', headers: { 'content-type': 'text/html' } })

type Ends = 'at once' | 'when the token has ended' | 'never'

/** What the answer to a refresh does to the session. */
const judged: readonly (readonly [SignInMethod, Answer, Ends])[] = [
  ['sso', oauthError(400, 'invalid_grant'), 'at once'],
  ['sso', oauthError(401, 'invalid_grant'), 'when the token has ended'],
  ['sso', oauthError(400, 'invalid_client'), 'when the token has ended'],
  [
    'sso',
    { ...oauthError(401, 'invalid_client'), headers: { 'www-authenticate': 'Basic' } },
    'when the token has ended',
  ],
  ['sso', oauthError(400, 'invalid_scope'), 'when the token has ended'],
  ['sso', { status: 400 }, 'when the token has ended'],
  ['sso', html(403), 'when the token has ended'],
  ['sso', html(404), 'when the token has ended'],
  ['sso', oauthError(429, 'invalid_grant'), 'never'],
  ['sso', oauthError(500, 'invalid_grant'), 'never'],
  ['sso', html(408), 'never'],
  ['sso', html(502), 'never'],
  ['sso', html(503), 'never'],
  ['sso', { status: 302, headers: { location: '/' } }, 'never'],
  ['sso', { status: 200, body: '{"token_type":"Bearer"}' }, 'never'],
  ['sso', html(200), 'never'],
  ['password', { status: 401 }, 'at once'],
  ['password', oauthError(400, 'invalid_grant'), 'when the token has ended'],
  ['password', html(403), 'when the token has ended'],
  ['password', html(404), 'when the token has ended'],
  ['password', { status: 423 }, 'when the token has ended'],
  ['password', { status: 429 }, 'never'],
  ['password', { status: 408 }, 'never'],
  ['password', { status: 500 }, 'never'],
  ['password', html(503), 'never'],
  ['password', { status: 200, body: '{"data":{}}' }, 'never'],
]

describe.each(judged)('%s, a refresh answered %j ends the session %s', (method, answer, ends) => {
  test('while the access token lives', async () => {
    const session = await signedIn(0.8, method)
    provider.answer = answer
    const left = ends === 'at once' ? { ok: false, why: 'over' } : { ok: true, token: 'access-0' }
    expect(await accessToken(session)).toEqual(left)
    expect((await rowOf(session)) === undefined).toBe(ends === 'at once')
  })

  test.each([
    ['when it has ended', 1.1, null],
    ['when the service has just answered 401 to it', 0.1, 'access-0'],
  ])('%s', async (_when, age, rejected) => {
    const session = await signedIn(age, method)
    provider.answer = answer
    const left = { ok: false, why: ends === 'never' ? 'unavailable' : 'over' }
    expect(await accessToken(session, rejected)).toEqual(left)
    expect((await rowOf(session)) === undefined).toBe(ends !== 'never')
  })
})

test('logs only status and OAuth error of a refused renewal', async () => {
  const printed: string[] = []
  putPerProcess('log', pino({}, { write: (line: string) => void printed.push(line) }))
  const refused = async (body: object) => {
    printed.length = 0
    provider.answer = { status: 401, body: JSON.stringify({ ...body, error_description: 'canary' }) }
    await accessToken(await signedIn(1.1))
    expect(printed.join('')).not.toMatch(/canary|refresh-0/)
    return printed.map((line) => JSON.parse(line)).filter(({ event }) => event === 'refresh')
  }
  expect(await refused({ error: 'invalid_client' })).toMatchObject([{ status: 401, oauthError: 'invalid_client' }])
  expect(await refused({ error: 'canary-error' })).toMatchObject([{ status: 401, oauthError: 'other' }])
})
