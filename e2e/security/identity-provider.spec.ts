import { expect } from '../support/fixtures.ts'
import { type Answer, ask, CookieJar, expectGuarded, HANDLE, isSignedIn } from './http.ts'
import { ALGORITHMS, type MutableProvider, type Mutation } from './provider.ts'
import { askForSignIn, begin, comeBack, test } from './provider-console.ts'

function expectNobody(answer: Answer, what: string): void {
  expect(answer.setCookies.join('\n'), what).not.toContain(HANDLE)
  expect(answer.status, what).toBe(302)
  expect(answer.headers.location ?? '', what).toMatch(/\/sign-in\?|\/api\/auth\/(error\?|signin$)/)
  expectGuarded(answer, what)
}

const now = (): number => Math.floor(Date.now() / 1000)

const payloadChanged = (idToken: string): string => {
  const [header, payload = '', signature] = idToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url')
  return `${header}.${changed}.${signature}`
}

/** Each is one thing wrong with an answer that is right in all else. */
const mutations: readonly (readonly [what: string, mutation: (provider: MutableProvider) => Mutation])[] = [
  ['another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
  ['no issuer', () => ({ claims: { iss: undefined } })],
  ['another audience', () => ({ claims: { aud: 'another' } })],
  ['no audience', () => ({ claims: { aud: undefined } })],
  ['several audiences and none of them authorized', () => ({ claims: { aud: ['operator-console', 'another'] } })],
  ['another authorized party', () => ({ claims: { azp: 'another' } })],
  ['another nonce', () => ({ claims: { nonce: 'another' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['an end that has passed', () => ({ claims: { iat: now() - 900, exp: now() - 600 } })],
  ['no end', () => ({ claims: { exp: undefined } })],
  ['a time of issue that is to come', () => ({ claims: { iat: now() + 600, exp: now() + 900 } })],
  ['no time of issue', () => ({ claims: { iat: undefined } })],
  ['a time before which it holds not', () => ({ claims: { nbf: now() + 600 } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['an empty subject', () => ({ claims: { sub: '' } })],
  ['a subject that is no text', () => ({ claims: { sub: { toString: 1 } } })],
  ['no signature, by its header', () => ({ header: { alg: 'none' } })],
  ['its signature cut off', () => ({ spoil: (token) => token.replace(/[^.]+$/, '') })],
  ['another payload below its signature', () => ({ spoil: payloadChanged })],
  ['a shared secret for a key', () => ({ header: { alg: 'HS256' } })],
  ['the key of somebody else', ({ keys }) => ({ key: keys.strangers.privateKey })],
  [
    'a key that the provider does not have',
    ({ keys }) => ({ key: keys.strangers.privateKey, header: { kid: 'another' } }),
  ],
  ['a text in place of the ID token', () => ({ answer: { id_token: 'nonsense' } })],
  ['no ID token', () => ({ answer: { id_token: undefined } })],
  ['no access token', () => ({ answer: { access_token: undefined } })],
  ['no refresh token', () => ({ answer: { refresh_token: undefined } })],
  ['a page in place of tokens', () => ({ raw: (response) => void response.writeHead(200).end('<html></html>') })],
  [
    'a redirect in place of tokens',
    () => ({ raw: (response) => void response.writeHead(307, { location: 'http://localhost:9/' }).end() }),
  ],
  ['a fault in place of tokens', () => ({ raw: (response) => void response.writeHead(500).end('{}') })],
]

test('signs nobody in after one wrong provider answer', {
  tag: '@long',
}, async ({ consoleUrl, provider }) => {
  const untouched = await begin(consoleUrl)
  const first = await comeBack(consoleUrl, untouched.jar, provider.authorize(untouched.address))
  expect(first.setCookies.join('\n')).toContain(`${HANDLE}=`)
  for (const [what, mutation] of mutations) {
    provider.mutation = {}
    const { jar, address } = await begin(consoleUrl)
    provider.mutation = mutation(provider)
    expectNobody(await comeBack(consoleUrl, jar, provider.authorize(address)), what)
  }
})

test('signs nobody in by tokens of another issuer', async ({ consoleUrl, provider }) => {
  const { jar, address } = await begin(consoleUrl)
  provider.mutation = { claims: { iss: 'https://elsewhere.example' } }
  expectNobody(await comeBack(consoleUrl, jar, provider.authorize(address)), 'a mix-up of issuers')
})

test('refuses a discovery document of another issuer', { tag: '@long' }, async ({ programs, provider }) => {
  const elsewhere = 'https://elsewhere.example'
  provider.mutation = { discovery: { issuer: elsewhere }, claims: { iss: elsewhere } }
  // A console that has read another document goes on with that one.
  const { url, program } = await programs.startAnotherConsole((own) => ({
    NEXTAUTH_URL: own,
    OIDC_ISSUER: provider.issuer,
  }))
  expectNobody(await askForSignIn(url, new CookieJar()), 'a document of another issuer')
  await program.stop()
})

test('what the browser brings back has to be what it was sent away with', async ({ consoleUrl, provider }) => {
  const attempts: readonly (readonly [
    string,
    (jar: CookieJar, query: URLSearchParams) => Promise<readonly [CookieJar, URLSearchParams]>,
  ])[] = [
    ['no state', async (jar, query) => [jar, new URLSearchParams({ code: query.get('code') ?? '' })]],
    ['another state', async (jar, query) => [jar, new URLSearchParams({ ...Object.fromEntries(query), state: 'x' })]],
    ['no cookie of the state', async (jar, query) => [jar.without('__Host-console.state'), query]],
    ['no cookie of the PKCE verifier', async (jar, query) => [jar.without('__Host-console.pkce'), query]],
    ['no cookie of the nonce', async (jar, query) => [jar.without('__Host-console.nonce'), query]],
    ['a browser that never asked', async (_jar, query) => [new CookieJar(), query]],
    [
      'another issuer beside the code',
      async (jar, query) => [
        jar,
        new URLSearchParams({ ...Object.fromEntries(query), iss: 'https://elsewhere.example' }),
      ],
    ],
    [
      'the code of somebody else',
      async (jar, query) => {
        const other = provider.authorize((await begin(consoleUrl)).address)
        return [jar, new URLSearchParams({ code: other.get('code') ?? '', state: query.get('state') ?? '' })]
      },
    ],
    ['code and state of somebody else', async (jar) => [jar, provider.authorize((await begin(consoleUrl)).address)]],
    ['cookies of somebody else', async (_jar, query) => [(await begin(consoleUrl)).jar, query]],
  ]
  for (const [what, change] of attempts) {
    const { jar, address } = await begin(consoleUrl)
    const [shown, query] = await change(jar, provider.authorize(address))
    expectNobody(await comeBack(consoleUrl, shown, query), what)
  }
})

test('accepts a callback once, with its browser’s own verifier', async ({ consoleUrl, provider }) => {
  const { jar, address } = await begin(consoleUrl)
  const sent = new URL(address).searchParams
  expect([sent.get('code_challenge_method'), sent.get('audience')]).toEqual(['S256', 'https://api.example'])
  const query = provider.authorize(address)
  const before = provider.exchanges.length
  const first = await comeBack(consoleUrl, jar, query)
  expect(first.setCookies.join('\n')).toContain(`${HANDLE}=`)
  expect(provider.exchanges.slice(before)).toEqual([{ pkce: true }])
  // With the cookies as they were: the provider has spent the code. With those of now: the state is gone.
  expectNobody(await comeBack(consoleUrl, jar, query), 'the same again')
  jar.take(first)
  expect([...jar.values.keys()].filter((name) => /state|nonce|pkce/.test(name))).toEqual([])
  expectNobody(await comeBack(consoleUrl, jar.without(HANDLE), query), 'the same again, later')
  expect(await isSignedIn(consoleUrl, jar.values.get(HANDLE) ?? '')).toBe(true)
})

test('signs in with each asymmetric algorithm that discovery lists', async ({ consoleUrl, provider }) => {
  for (const alg of ALGORITHMS) {
    const discovery = { id_token_signing_alg_values_supported: [alg, 'HS256'] }
    // With an ID token of 30 kB, which people in many groups have.
    const groups = ['console-operators', ...Array.from({ length: 600 }, () => crypto.randomUUID())]
    provider.mutation = { header: { alg }, discovery, claims: { groups } }
    const { jar, address } = await begin(consoleUrl)
    const answer = await comeBack(consoleUrl, jar, provider.authorize(address))
    expect(answer.setCookies.join('\n'), alg).toContain(`${HANDLE}=`)
  }
  provider.mutation = { header: { alg: 'ES256' } }
  const { jar, address } = await begin(consoleUrl)
  expectNobody(await comeBack(consoleUrl, jar, provider.authorize(address)), 'an algorithm that is not listed')
})

test('pushes the request to a provider that requires it', async ({ consoleUrl, provider }) => {
  const endpoint = { pushed_authorization_request_endpoint: `${provider.issuer}/par` }
  provider.mutation = { discovery: { require_pushed_authorization_requests: true, ...endpoint } }
  const { jar, address } = await begin(consoleUrl)
  expect([...new URL(address).searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const answer = await comeBack(consoleUrl, jar, provider.authorize(address))
  expect(answer.setCookies.join('\n')).toContain(`${HANDLE}=`)
  provider.mutation = { discovery: { require_pushed_authorization_requests: true } }
  expectNobody(await askForSignIn(consoleUrl, new CookieJar()), 'no endpoint for pushed requests')
})

/** The address of the console that a refused sign-in leads to. */
const pathOf = (answer: Answer, consoleUrl: string): string => {
  const { pathname, search } = new URL(answer.headers.location ?? '', consoleUrl)
  return pathname + search
}

/** What the log says of one request's sign-in. */
const causesOf = (printed: string, requestId: string | null): readonly unknown[] =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line.event === 'sign-in' && line.requestId === requestId)
    .map(({ cause }) => cause)

/** A failure, its cause in the log, and what the page says of another attempt. */
const failures: readonly (readonly [cause: string, again: RegExp, mutation: Mutation])[] = [
  ['algorithm', /Trying again does not help/, { header: { alg: 'ES256' } }],
  ['issuer', /Trying again does not help/, { claims: { iss: 'https://elsewhere.example' } }],
  ['clock', /Trying again does not help/, { claims: { nbf: now() + 3600 } }],
  ['nonce', /Try again; /, { claims: { nonce: 'canary-nonce' } }],
  ['not-staff', /Trying again does not help/, { claims: { groups: ['canary-group', 7] } }],
  ['no-refresh-token', /Trying again does not help/, { answer: { refresh_token: undefined } }],
  ['token-endpoint-unreachable', /Try again in a moment/, { raw: (response) => void response.writeHead(503).end() }],
]

test('shows a request id, and logs the cause under it', { tag: '@long' }, async ({ providerConsole, provider }) => {
  const { url, program } = providerConsole
  const failedWith = async (answer: Answer, cause: string, again: RegExp): Promise<void> => {
    expectNobody(answer, cause)
    const path = pathOf(answer, url)
    const id = new URL(path, url).searchParams.get('request')
    expect(id, cause).toBe(answer.headers['x-request-id'])
    await expect.poll(() => causesOf(program.printed, id), cause).toEqual([cause])
    const page = await ask(url, { path })
    expect(page.text, cause).toContain(id)
    expect(page.text, cause).toMatch(again)
    expect(page.text, cause).not.toMatch(/canary|elsewhere/)
  }
  for (const [cause, again, mutation] of failures) {
    provider.mutation = {}
    const { jar, address } = await begin(url)
    provider.mutation = mutation
    await failedWith(await comeBack(url, jar, provider.authorize(address)), cause, again)
  }
  provider.mutation = {}
  const { jar, address } = await begin(url)
  const query = provider.authorize(address)
  await failedWith(await comeBack(url, jar.without('__Host-console.pkce'), query), 'cookies', /Try again; /)
  const refused = new URLSearchParams({
    error: 'invalid_scope',
    error_description: 'canary',
    state: query.get('state') ?? '',
  })
  await failedWith(await comeBack(url, jar, refused), 'scope', /Trying again does not help/)
  const { jar: other, address: authorizeUrl } = await begin(url)
  const offline = new URLSearchParams({
    error: 'invalid_scope',
    error_description: 'canary: offline_access is not allowed',
    state: provider.authorize(authorizeUrl).get('state') ?? '',
  })
  await failedWith(await comeBack(url, other, offline), 'offline-access', /Trying again does not help/)
  expect(program.printed).not.toMatch(/canary/)
})

test('keeps the destination of a failed sign-in', async ({ consoleUrl, provider }) => {
  const { jar, address } = await begin(consoleUrl, new CookieJar(), '/users')
  provider.mutation = { claims: { nonce: 'another' } }
  const answer = await comeBack(consoleUrl, jar, provider.authorize(address))
  expect(new URL(pathOf(answer, consoleUrl), consoleUrl).searchParams.get('to')).toBe('/users')
})
