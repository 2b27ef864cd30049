import { gzipSync } from 'node:zlib'
import { expect, test } from '../support/fixtures.ts'
import { askRaw } from '../support/raw.ts'
import { open, type Route, routes } from '../support/routes.ts'
import { arrivedAfter, ask, expectGuarded, HANDLE, JSON_BODY, latestAt, signInAs } from './http.ts'

const OPERATOR = 'operator@example.com'
const isPage = ({ file }: Route): boolean => file.endsWith('page.tsx')
const guarded = routes.filter(({ file }) => !(file in open))
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const FORM = 'app/api/deposits/statements/route.ts'

/** Every handler that changes something, with each of its methods. */
const changes = guarded
  .filter((route) => !isPage(route))
  .flatMap(({ methods, ...route }) =>
    methods.filter((method) => method !== 'GET').map((method) => ({ ...route, method })),
  )

/** What the service was asked for, but for what the console asks by itself. */
const askedFor = async (sandboxUrl: string, after: number) =>
  (await arrivedAfter(sandboxUrl, after)).filter(({ method }) => method !== 'GET')

test('a method that a route does not name is refused at every route, and changes nothing', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl, sandboxUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const latest = await latestAt(sandboxUrl)
  let tried = 0
  for (const route of routes) {
    // HEAD and OPTIONS are answered by the framework, from the methods that there are.
    const named = new Set([...route.methods, ...(route.methods.includes('GET') ? ['HEAD'] : [])])
    for (const method of METHODS.filter((one) => !named.has(one))) {
      const what = `${method} ${route.address}`
      const body = method === 'HEAD' || method === 'OPTIONS' ? undefined : '{}'
      const sent = { ...headers, ...(body === undefined ? {} : JSON_BODY) }
      const answer = await ask(consoleUrl, { method, path: route.address, headers: sent, ...(body && { body }) })
      expectGuarded(answer, what)
      expect(answer.setCookies, what).toEqual([])
      expect(method === 'OPTIONS' ? [200, 204, 400, 405] : [400, 403, 404, 405], what).toContain(answer.status)
      tried += 1
    }
  }
  expect(tried).toBeGreaterThan(200)
  expect(await askedFor(sandboxUrl, latest)).toEqual([])
})

/** One thing wrong with a request that is right in all else, and what is answered. */
const spoiled: readonly (readonly [
  what: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | Buffer,
  status: number,
])[] = [
  ['X-Console with another value', { 'x-console': 'true' }, '{}', 403],
  ['X-Console twice', { 'x-console': '1, 1' }, '{}', 403],
  ['an origin in capitals', { origin: 'HTTP://LOCALHOST' }, '{}', 403],
  ['an origin that begins like ours', { origin: 'OURS.evil.example' }, '{}', 403],
  ['the origin null', { origin: 'null' }, '{}', 403],
  ['an empty origin', { origin: '' }, '{}', 403],
  ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }, '{}', 403],
  ['JSON by another name', { 'content-type': 'application/jsonp' }, '{}', 415],
  ['JSON within text', { 'content-type': 'text/plain; application/json' }, '{}', 415],
  ['no type at all', { 'content-type': undefined }, '{}', 415],
]

test('each guard alone refuses at every handler that changes something, before the service is asked', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl, sandboxUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const latest = await latestAt(sandboxUrl)
  expect(changes.length).toBeGreaterThan(25)
  for (const { address, method } of changes) {
    for (const [how, other, body, status] of spoiled) {
      const what = `${method} ${address} with ${how}`
      const given = {
        ...headers,
        ...JSON_BODY,
        ...other,
        origin: (other.origin ?? consoleUrl).replace('OURS', consoleUrl),
      }
      const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      const answer = await ask(consoleUrl, { method, path: address, headers: sent as Record<string, string>, body })
      expect(answer.status, `${what}: ${answer.text}`).toBe(status)
      expectGuarded(answer, what)
      expect(answer.setCookies, what).toEqual([])
    }
  }
  expect(await askedFor(sandboxUrl, latest)).toEqual([])
})

test('a body is bounded by what comes, not by what was announced, and a compressed one is no JSON', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const large = JSON.stringify({ text: 'x'.repeat(70 * 1024) })
  for (const { file, address, method } of changes.filter((change) => change.file !== FORM)) {
    const chunked = { ...headers, ...JSON_BODY, 'transfer-encoding': 'chunked' }
    const answer = await ask(consoleUrl, { method, path: address, headers: chunked, body: large })
    expectGuarded(answer, address)
    // Some take no body, and look at none.
    expect(answer.status, `${method} ${file}`).toBeLessThan(500)
    const squeezed = { ...headers, ...JSON_BODY, 'content-encoding': 'gzip' }
    const bomb = await ask(consoleUrl, { method, path: address, headers: squeezed, body: gzipSync(large) })
    expect(bomb.status, `${method} ${file}`).toBeLessThan(500)
  }
  const { host } = new URL(consoleUrl)
  const lines = Object.entries({ ...headers, ...JSON_BODY, 'content-length': String(10 ** 9) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const huge = await Promise.all(
    changes.map(({ address, method }) =>
      askRaw(consoleUrl, `${method} ${address} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n`, 2_000),
    ),
  )
  // None is served: it is refused, or waited for until its time is over.
  expect(huge.filter(({ status }) => ![0, 408, 413, 415].includes(status))).toEqual([])
})

const BOUNDARY = 'limit'

/** A form with one file, as a browser sends it. */
const formOf = (file: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.xml"\r\n${more}\r\n${file}\r\n--${BOUNDARY}--\r\n`

test('refuses a statement that would hold up everybody', async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const upload = (body: string) =>
    ask(consoleUrl, {
      method: 'POST',
      path: '/api/deposits/statements',
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body,
    })
  const deep = `<Document>${'<a>'.repeat(600_000)}${'</a>'.repeat(600_000)}</Document>`
  expect((await upload(formOf(deep))).status).toBe(422)
  expect((await upload(formOf('x', 'a:b\r\n'.repeat(700_000)))).status).toBe(422)
})

test('takes large bodies on one path, with a session alone', async ({ playwright, programs }) => {
  const { consoleUrl } = programs
  const printed = programs.console.printed.length
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const { cookie: _signedIn, ...signedOut } = headers
  const tried = [
    ['/sign-in', headers, 413],
    ['/api/commands', headers, 413],
    ['/nothing-here', headers, 413],
    ['/api/deposits/statements', signedOut, 401],
    ['/api/deposits/statements', { ...signedOut, cookie: `${HANDLE}=${'x'.repeat(86)}` }, 401],
  ] as const
  for (const [path, sent, status] of tried) {
    const announced = await ask(consoleUrl, { method: 'POST', path, headers: sent, body: 'x'.repeat(100 * 1024) })
    expect(announced.status, path).toBe(status)
    expectGuarded(announced, path)
  }
  const { host } = new URL(consoleUrl)
  const chunk = `${(16 * 1024).toString(16)}\r\n${'x'.repeat(16 * 1024)}\r\n`
  const head = `POST /sign-in HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`
  expect((await askRaw(consoleUrl, head + chunk.repeat(5))).status).toBe(413)
  expect(programs.console.printed.slice(printed)).not.toMatch(/"level":50/)
})

test('a body that trickles is given up in its time at every handler', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const { host } = new URL(consoleUrl)
  const lines = Object.entries({ ...headers, ...JSON_BODY, 'content-length': '100' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const ends = await Promise.all(
    [
      ...changes,
      { address: '/sign-in', method: 'POST' },
      { address: '/api/session/back-channel-logout', method: 'POST' },
    ].map(async ({ address, method }) => {
      const answer = await askRaw(consoleUrl, `${method} ${address} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n{`)
      return { what: `${method} ${address}`, answer }
    }),
  )
  for (const { what, answer } of ends) {
    expect(answer.status, what).toBe(408)
    expect(answer.headers.get('x-frame-options'), what).toBe('DENY')
    expect(answer.headers.get('cache-control'), what).toContain('no-store')
  }
})
