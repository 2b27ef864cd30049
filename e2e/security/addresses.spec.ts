import { expect, test } from '../support/fixtures.ts'
import { open, routes } from '../support/routes.ts'
import { JSON_BODIES, PATH_STEPS } from './corpora.ts'
import { arrivedAfter, ask, expectGuarded, JSON_BODY, latestAt, ownHeaders, type SignedIn, signInAs } from './http.ts'

const SAMPLE = 'e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b'
const CALLS = routes.filter(({ file }) => file.endsWith('route.ts') && !file.includes('sign-out'))

/** What the service has for a signed-in console: the interface's paths, with one segment in the place of an id. */
const ID = '[\\w-]{1,200}'
const OF_THE_INTERFACE = new RegExp(
  `^(/api/v1/(Users/${ID}/scopes|Users/(login|refresh-token)|Transaction/(account/)?${ID}|cards(/${ID})?|Dispute(/${ID}(/messages)?)?|merchant-terminals(/${ID})?|Security/totp)|/hubs/disputes.*|/idp/.*|/health)$`,
)
/** References and ids of the corpus that are one harmless segment, as the console has encoded them. */
const ENCODED = /^\/api\/v1\/(Transaction|Dispute|cards|merchant-terminals)(\/account)?\/[^/?#]*(\/messages)?$/

/** Nothing was changed at the service, and nothing was read but what a path of the interface names. */
async function expectWithin(sandboxUrl: string, after: number): Promise<void> {
  const arrived = (await arrivedAfter(sandboxUrl, after)).filter(({ path }) => !path.startsWith('/sandbox/requests'))
  const strange = arrived.filter(({ method, path }) => {
    const steps = decodeURIComponent(path)
      .split('/')
      .some((part) => part === '..' || part === '.')
    const known = OF_THE_INTERFACE.test(path) || ENCODED.test(path)
    return steps || !known || (method !== 'GET' && !path.startsWith('/idp/') && !path.startsWith('/hubs/'))
  })
  expect(strange).toEqual([])
}

let admin: SignedIn
let latest = 0

test.beforeEach(async ({ playwright, programs, sandbox: _seeded }) => {
  admin = await signInAs(playwright.request, programs.consoleUrl, 'admin@example.com')
  latest = await latestAt(programs.sandboxUrl)
})

/** Answers alike for what is not there. */
const removes = (file: string, method: string) => method === 'DELETE' && /api\/(views|session\/sessions)\//.test(file)

/** A page says in words that it knows no such id; 308 takes a step out of the path. */
function answersOfIds(file: string, method: string): readonly number[] {
  if (file.endsWith('page.tsx')) return [200, 308, 404]
  if (removes(file, method)) return [200, 308, 400, 404, 431]
  return method === 'GET' ? [308, 400, 404, 405] : [308, 400, 404, 409, 431]
}

test('refuses hostile ids in paths', {
  tag: '@long',
}, async ({ programs }) => {
  const { consoleUrl, sandboxUrl } = programs
  const withIds = routes.filter(({ file }) => file.includes('[') && !file.includes('nextauth'))
  expect(withIds.length).toBeGreaterThan(12)
  for (const { file, address, methods } of withIds) {
    for (const step of PATH_STEPS) {
      const path = address.replaceAll(SAMPLE, step)
      for (const method of methods) {
        const body = method === 'GET' ? undefined : '{}'
        const headers = { ...admin.headers, ...(body && JSON_BODY) }
        const answer = await ask(consoleUrl, { method, path, headers, ...(body && { body }) })
        const what = `${method} ${file} with ${step.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`
        expect(answersOfIds(file, method), what).toContain(answer.status)
        expectGuarded(answer, what)
        expect([answer.headers['x-planted'], answer.setCookies.join()], what).toEqual([undefined, ''])
        expect(answer.headers.location ?? '/', what).toMatch(/^\/(?![/\\])|^http:\/\/localhost:\d+\//)
      }
    }
  }
  await expectWithin(sandboxUrl, latest)
})

/** Every parameter of an address that a page or a handler reads. */
const QUERIES: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['/', ['to']],
  ['/activity', ['person', 'kind', 'from', 'to', 'zone', 'text', 'page', 'size', 'outcome', 'open']],
  ['/approvals', ['view', 'person', 'kind', 'outcome', 'from', 'to', 'zone', 'page', 'size']],
  ['/cards', ['find', 'holder', 'page', 'sort', 'size', 'status']],
  ['/cards/issue', ['user', 'type', 'name', 'command', 'replaces', 'userId']],
  ['/deposits', ['reference', 'page', 'find', 'from', 'to', 'sort', 'size']],
  ['/deposits/report', ['day']],
  ['/disputes', ['status', 'page', 'party', 'sort', 'size', 'assignee', 'age', 'case']],
  ['/terminals', ['merchant', 'find', 'status', 'page', 'sort', 'command']],
  ['/transactions', ['reference']],
  ['/users', ['id', 'find']],
  [
    `/users/${SAMPLE}`,
    ['page', 'size', 'state', 'type', 'from', 'to', 'zone', 'after', 'view', 'find', 'sort', 'text'],
  ],
  ['/security', ['command', 'to']],
  ['/api/export/history', ['account', 'state', 'type', 'from', 'to', 'text']],
  ['/api/export/activity', ['person', 'kind', 'from', 'to', 'zone', 'text']],
  ['/api/export/cases', ['status', 'age', 'claim', 'turn', 'party', 'text', 'amountFrom', 'amountTo', 'sort']],
  ['/api/export/approvals', ['view', 'person', 'kind', 'outcome', 'from', 'to', 'zone']],
  ['/api/deposits/report', ['day']],
  ['/api/disputes/queue', ['page', 'status', 'sort', 'size']],
  ['/api/session/drafts', ['place', 'page', 'number']],
  ['/sign-in', ['why', 'error', 'to', 'seconds', 'callbackUrl']],
  ['/signed-in', ['to']],
  ['/signed-out', ['state', 'only']],
]

/** A page shows what it can take of them. A head of more than 16 kB is none. */
function answersOfParameters(path: string): readonly number[] {
  if (path === '/api/disputes/queue') return [200, 400, 431]
  if (path.startsWith('/api/')) return [400, 431]
  if (path === '/sign-in' || path === '/signed-out') return [303, 404, 431]
  return path === '/users' || path === '/transactions' ? [200, 307, 404, 431] : [200, 404, 431]
}

test('refuses hostile address parameters', { tag: '@long' }, async ({ programs }) => {
  const { consoleUrl, sandboxUrl } = programs
  for (const [path, names] of QUERIES) {
    for (const step of PATH_STEPS) {
      // All at once: what one of them ends, another would not be asked for. Twice: a parameter can be a list.
      for (const query of [names.map((name) => `${name}=${step}`), names.map((name) => `${name}=1&${name}=${step}`)]) {
        const answer = await ask(consoleUrl, { path: `${path}?${query.join('&')}`, headers: admin.headers })
        const what = `${path} with ${step.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`
        expect(answersOfParameters(path), what).toContain(answer.status)
        expectGuarded(answer, what)
        expect(answer.headers['x-planted'], what).toBeUndefined()
        expect(answer.setCookies.join(), what).not.toContain('planted')
      }
    }
  }
  await expectWithin(sandboxUrl, latest)
})

/** Takes no body, or one of these is a valid one. */
const answersOfBodies: Readonly<Record<string, readonly number[]>> = {
  '/api/activity/check': [200],
  '/api/session/activity': [200],
  '/api/commands': [200, 400],
  '/api/disputes/next': [200, 400],
  '/api/session/preferences': [200, 400],
  '/api/stream': [200, 400],
  '/api/stream/poll': [200, 400],
}
const REFUSED = [400, 404, 409, 415]

test('survives hostile JSON bodies without effect on other requests', {
  tag: '@long',
}, async ({ programs }) => {
  const { consoleUrl, sandboxUrl } = programs
  const before = await admin.get('/api/session/recent-things')
  for (const { file, address, methods } of CALLS) {
    for (const method of methods.filter((one) => one !== 'GET')) {
      // These end what the test stands on.
      if (file.includes('/sessions/')) continue
      for (const body of JSON_BODIES) {
        const headers = { ...admin.headers, ...JSON_BODY }
        const answer = await ask(consoleUrl, { method, path: address, headers, body })
        const what = `${method} ${file} of ${body.slice(0, 80)}: ${answer.status} ${answer.text.slice(0, 200)}`
        const answers = removes(file, method) ? [200] : (answersOfBodies[address] ?? REFUSED)
        expect(answers, what).toContain(answer.status)
        if (address === '/api/commands') expect(JSON.parse(answer.text), what).toMatchObject({ ok: false })
        expectGuarded(answer, what)
        expect(answer.text, what).not.toMatch(/SyntaxError|TypeError|RangeError|at \w+ \(|node_modules|\.ts:\d/)
      }
    }
  }
  await expectWithin(sandboxUrl, latest)
  expect((await admin.get('/api/session/recent-things')).text).toBe(before.text)
  const nobody = await ask(consoleUrl, { path: '/api/session/state', headers: ownHeaders(consoleUrl) })
  expect(JSON.parse(nobody.text)).toMatchObject({ signedIn: false })
})

test('answers hostile bodies at open routes without faults', { tag: '@long' }, async ({ programs }) => {
  const { consoleUrl } = programs
  for (const { file, address, methods } of routes.filter((route) => route.file in open)) {
    for (const method of methods.filter((one) => one !== 'GET')) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
        for (const body of [...JSON_BODIES, '--b--', 'a=%00&a=%ff', 'csrfToken=a&csrfToken=b&email[]=x']) {
          const headers = { ...ownHeaders(consoleUrl), 'content-type': type }
          const answer = await ask(consoleUrl, { method, path: address, headers, body })
          const what = `${method} ${file} as ${type} of ${body.slice(0, 80)}: ${answer.status}`
          // The form, once more.
          const isForm = address === '/sign-in' && type === 'application/x-www-form-urlencoded'
          expect(isForm ? [200] : [400, 404, 413, 415], what).toContain(answer.status)
          expectGuarded(answer, what)
          expect(answer.setCookies.join(), what).not.toContain('console.sid')
        }
      }
    }
  }
})
