import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { everyCall } from '../support/access.ts'
import { expect, test } from '../support/fixtures.ts'
import { askRaw } from '../support/raw.ts'
import { eightAtOnce, open, type Route, routes } from '../support/routes.ts'
import { NO_SUBJECTS, validBody } from '../support/valid-requests.ts'
import {
  type Answer,
  arrivedAfter,
  ask,
  expectGuarded,
  HANDLE,
  isSignedIn,
  JSON_BODY,
  latestAt,
  signInAs,
} from './http.ts'

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
const pathsCalled = async (sandboxUrl: string, after: number) =>
  (await arrivedAfter(sandboxUrl, after)).filter(({ method }) => method !== 'GET')

/** A refusal by the console itself, which names no scope and no code of the service. */
function expectRefused(answer: Answer, status: number, what: string): void {
  expect(answer.status, `${what}: ${answer.text}`).toBe(status)
  expectGuarded(answer, what)
  expect(answer.setCookies, what).toEqual([])
  const title: unknown = expect.any(String)
  const unknown = { code: null, traceId: null, retryAfterSeconds: null, scope: null }
  const problem = { kind: 'service', status, title, ...unknown }
  expect(JSON.parse(answer.text), what).toEqual({ ok: false, fields: {}, problem })
}

/** HEAD and OPTIONS are answered by the framework. */
const methodsOf = ({ methods }: Route): readonly string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()

test('refuses every method that a route does not name', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl, sandboxUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const latest = await latestAt(sandboxUrl)
  const tries = routes.flatMap((route) =>
    METHODS.filter((method) => method === 'OPTIONS' || !methodsOf(route).includes(method)).map((method) => ({
      route,
      method,
    })),
  )
  expect(tries.length).toBeGreaterThan(200)
  await eightAtOnce(tries, async ({ route, method }) => {
    const what = `${method} ${route.address}`
    const body = method === 'HEAD' || method === 'OPTIONS' ? undefined : '{}'
    const sent = { ...headers, ...(body === undefined ? {} : JSON_BODY) }
    const answer = await ask(consoleUrl, { method, path: route.address, headers: sent, ...(body && { body }) })
    expectGuarded(answer, what)
    expect([answer.setCookies, answer.text], what).toEqual([[], ''])
    const allowed = isPage(route) ? 'GET, HEAD' : methodsOf(route).join(', ')
    if (method !== 'OPTIONS') expect(answer.status, what).toBe(405)
    else expect([answer.status, answer.headers.allow], what).toEqual(isPage(route) ? [400, undefined] : [204, allowed])
    if (isPage(route) && method !== 'OPTIONS') expect(answer.headers.allow, what).toBe(allowed)
  })
  expect(await pathsCalled(sandboxUrl, latest)).toEqual([])
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

test('refuses each faulty request at every handler that changes something', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl, sandboxUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const latest = await latestAt(sandboxUrl)
  expect(changes.length).toBeGreaterThan(25)
  const tries = changes.flatMap(({ address, method }) => spoiled.map((one) => ({ address, method, one })))
  await eightAtOnce(tries, async ({ address, method, one: [how, other, body, status] }) => {
    const given = {
      ...headers,
      ...JSON_BODY,
      ...other,
      origin: (other.origin ?? consoleUrl).replace('OURS', consoleUrl),
    }
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const answer = await ask(consoleUrl, { method, path: address, headers: sent as Record<string, string>, body })
    expectRefused(answer, status, `${method} ${address} with ${how}`)
  })
  expect(await pathsCalled(sandboxUrl, latest)).toEqual([])
})

const LARGE = JSON.stringify({ text: 'x'.repeat(70 * 1024) })

test('refuses a large body at every handler, announced or not', async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl, sandboxUrl } = programs
  const { handle, headers } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const latest = await latestAt(sandboxUrl)
  const { host } = new URL(consoleUrl)
  await eightAtOnce(changes, async ({ file, address, method }) => {
    const what = `${method} ${address}`
    const send = (more: Record<string, string>) =>
      ask(consoleUrl, { method, path: address, headers: { ...headers, ...JSON_BODY, ...more }, body: LARGE })
    // This one takes a form of 5 MB, and no JSON of any size.
    if (file === FORM) return expectRefused(await send({}), 415, what)
    expectRefused(await send({}), 413, what)
    const counted = await send({ 'transfer-encoding': 'chunked' })
    expectGuarded(counted, what)
    expect([counted.status, counted.text], what).toEqual([413, ''])
  })
  const lines = Object.entries({ ...headers, ...JSON_BODY, 'content-length': String(10 ** 9) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  await eightAtOnce(changes, async ({ address, method }) => {
    const huge = await askRaw(consoleUrl, `${method} ${address} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n`)
    expect(huge.status, `${method} ${address}`).toBe(413)
  })
  expect(await pathsCalled(sandboxUrl, latest)).toEqual([])
  await expect(isSignedIn(consoleUrl, handle)).resolves.toBe(true)
})

test('takes no compressed body for JSON', async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const admin = await signInAs(playwright.request, consoleUrl, 'admin@example.com')
  const { actor } = JSON.parse((await admin.get('/api/session/state')).text) as { readonly actor: string }
  const read = everyCall.flatMap((call) => {
    const body = call.by.get('admin') === 'in' ? validBody(call, { ...NO_SUBJECTS, actor }) : null
    return body?.type === JSON_BODY['content-type'] ? [{ call, text: body.text }] : []
  })
  expect(read.length).toBeGreaterThan(40)
  await eightAtOnce(read, async ({ call: { route, method, kind }, text }) => {
    const path = route.replace(/\[\w+\]/g, () => randomUUID())
    const squeezed = { ...admin.headers, ...JSON_BODY, 'content-encoding': 'gzip' }
    const answer = await ask(consoleUrl, { method, path, headers: squeezed, body: gzipSync(text) })
    // A view is looked for before the body is read.
    expectRefused(answer, route === '/api/views/[id]' ? 404 : 400, `${method} ${kind} ${path}`)
  })
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
    ['/api/deposits/statements/1/work', headers, 413],
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

test('ends a trickling body in time at every handler', { tag: '@long' }, async ({
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
