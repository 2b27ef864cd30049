import http from 'node:http'
import { signInAs } from './security/http.ts'
import { expect, test } from './support/fixtures.ts'
import { handleOf } from './support/received.ts'
import { signInWithPassword } from './support/sign-in.ts'

interface Call {
  readonly method?: string
  /** As it stands: nothing on this side takes steps out of it. */
  readonly path: string
  readonly body?: string
  /** What a proxy adds. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly text: string
}

type Ask = (call: Call) => Promise<Answer>

/** Asks as the console's own pages do, with bodies in pieces whose length nobody says. */
const askAs =
  (consoleUrl: string, handle: string): Ask =>
  ({ method = 'GET', path, body, headers: added = {} }) =>
    new Promise((done, fail) => {
      const headers = {
        cookie: `__Host-console.sid=${handle}`,
        'x-console': '1',
        'sec-fetch-site': 'same-origin',
        origin: consoleUrl,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
        ...added,
      }
      const { port } = new URL(consoleUrl)
      const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        )
      })
      request.on('error', fail)
      request.end(body)
    })

interface Logged {
  readonly sequence: number
  readonly path: string
}

async function requestsAfter(sandboxUrl: string, sequence: number): Promise<readonly Logged[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/requests?after=${sequence}`)
  return ((await answer.json()) as { requests: readonly Logged[] }).requests
}

let ask: Ask
/** The last request that the service had noted as the test began. */
let latest = 0

/** The paths at which the service was asked for something since then. */
async function pathsCalled(sandboxUrl: string): Promise<readonly string[]> {
  return [...new Set((await requestsAfter(sandboxUrl, latest)).map(({ path }) => path))]
}

test.beforeEach(async ({ page, context, programs, sandbox: _reset }) => {
  latest = (await requestsAfter(programs.sandboxUrl, 0)).at(-1)?.sequence ?? 0
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  ask = askAs(programs.consoleUrl, await handleOf(context))
  // Home asks again and again.
  await page.goto('about:blank')
})

const STEPS = ['..%2F', '..%2Fx', '%2E%2E%2F', '.%2F', 'x%2F..%2F..', '%252e%252e', '%252E', '..%5C', '..%252f']
const AREAS = ['transactions', 'users', 'cards', 'terminals', 'disputes']

test('refuses path steps as ids, and asks the service nothing', async ({ programs }) => {
  for (const path of [
    ...AREAS.flatMap((area) => STEPS.map((step) => `/${area}/${step}`)),
    ...['..', '.', '%2e%2e', '%252e%252e'].map((step) => `/deposits?reference=${step}`),
    ...['transactions?reference=..', 'users?id=..', 'cards?find=..', 'transactions?reference=%252e.'].map(
      (to) => `/${to}`,
    ),
  ]) {
    const { status, text } = await ask({ path })
    expect(status, path).toBe(200)
    expect(text, path).toMatch(
      /are not references|Not a \w+ id|This is not a valid card id|Cards ending in|Printed names and card types|Cards of the holder|Look up one/,
    )
  }
  const paths = await pathsCalled(programs.sandboxUrl)
  expect(
    paths.filter((path) => !/^\/api\/v1\/(Users\/|Dispute$)|^\/idp\/|^\/sandbox\/|^\/hubs\/|^\/health$/.test(path)),
  ).toEqual([])
})

const ID = '00000000-0000-4000-8000-0000000000c1'

/** Changes that name something by a text, each with a step in its place. */
const changes: readonly (readonly [kind: string, params: (text: string) => object])[] = [
  ['deposit.confirm', (text) => ({ referenceId: text, bankReference: 'B-1', statementAmount: '1.00' })],
  ['transaction.resolve', (text) => ({ referenceId: text, decision: 'refund', reason: 'why' })],
  [
    'dispute.resolve',
    (text) => ({ caseId: text, referenceId: 'x', decision: 'refund', reason: 'why', latestMessageId: '' }),
  ],
  [
    'dispute.resolve',
    (text) => ({ caseId: ID, referenceId: text, decision: 'refund', reason: 'why', latestMessageId: '' }),
  ],
  ['dispute.message', (text) => ({ caseId: text, body: 'hello' })],
  ['card.block', (text) => ({ cardId: text, last4: '', reason: 'why' })],
  ['card.issue', (text) => ({ userId: text, cardType: '1', printedName: 'A' })],
  ['terminal.disable', (text) => ({ terminalId: text, reason: 'why' })],
  ['terminal.register', (text) => ({ merchantId: text, terminalUid: 'U', label: '' })],
  ['case.assign', (text) => ({ caseId: text })],
  ['case.note', (text) => ({ caseId: text, text: 'note' })],
]

test('takes no path step or unstorable text in a change', async ({ playwright, programs }) => {
  // Of every change: an operator without a scope would be refused before the text is read.
  const admin = await signInAs(playwright.request, programs.consoleUrl, 'admin@example.com')
  const askAsAdmin = askAs(programs.consoleUrl, admin.handle)
  for (const [kind, params] of changes) {
    for (const text of ['..', '.', '%2e%2e', 'a/../b', 'a\0b', '\ud800']) {
      const body = JSON.stringify({ kind, params: params(text) })
      const { status, text: answer } = await askAsAdmin({ method: 'POST', path: '/api/commands', body })
      const what = `${kind} of ${JSON.stringify(text)}: ${answer}`
      // A merchant's id stands in a query: there a step is a text like any other.
      if (kind === 'terminal.register' && !/[\0\ud800]/.test(text)) continue
      // The schema of its parameters, or a rule of a field.
      expect(/[\0\ud800]/.test(text) ? [200, 400] : [200], what).toContain(status)
      const { ok, fields, problem } = JSON.parse(answer)
      expect([ok, Object.keys(fields).length > 0 || problem !== null], what).toEqual([false, true])
    }
  }
  const paths = await pathsCalled(programs.sandboxUrl)
  const outside =
    /^\/api\/v1\/(Users\/|Dispute\/[\da-f-]{36}|Transaction\/\w{3}~[\da-f.-]+$|merchant-terminals$|Dispute$)|^\/idp\/|^\/sandbox\/|^\/hubs\/|^\/health$/
  expect(paths.filter((path) => !outside.test(path))).toEqual([])
})

const NUL_PAGES = [
  ...AREAS.map((area) => `/${area}/a%00b`),
  ...['/deposits?reference=a%00b', '/deposits/statements/%00', '/activity/%00', '/terminals?merchant=%00'],
  ...[
    '/cards?find=%00',
    '/cards/issue?command=%00',
    '/disputes?party=%00',
    '/users/%00/access',
    '/?x=%00',
    '/sign-in?why=%00',
  ],
]

const WRITE = '"page":"00000000-0000-4000-8000-000000000001","number":1,"base":0'

const NUL_CALLS: readonly Call[] = [
  { path: '/api/commands/%00' },
  { path: '/api/deposits/statements/%00/results' },
  { path: '/api/export/history?account=%00' },
  { method: 'POST', path: '/api/stream', body: '{"topics":["thread \\u0000"]}' },
  { method: 'POST', path: '/api/stream/%00', body: '{"topics":[]}' },
  { method: 'DELETE', path: '/api/session/sessions/%00', body: '{}' },
  { method: 'POST', path: '/api/commands/%00/settle', body: '{}' },
  { method: 'POST', path: '/api/commands/%00/dismiss', body: '{"why":"x"}' },
  { method: 'PUT', path: '/api/session/drafts', body: `{"owner":"x","place":"a\\u0000","text":"b",${WRITE}}` },
  { method: 'PUT', path: '/api/session/drafts', body: `{"owner":"x","place":"a","text":"\\ud800",${WRITE}}` },
  { method: 'POST', path: '/api/session/preferences', body: '{"table":{"name":"a","hidden":["\\u0000"]}}' },
  { method: 'POST', path: `/api/commands/${ID}`, body: '{"proof":"\\u0000"}' },
  { method: 'POST', path: `/api/commands/${ID}/settle`, body: '{"happened":true,"why":"\\u0000"}' },
  { method: 'POST', path: '/api/deposits/statements/x/lines/1', body: '{"act":"reference","reference":"\\u0000"}' },
]

test('a NUL is refused at every edge, and no store is asked about it', { tag: '@long' }, async ({ programs }) => {
  const before = programs.console.printed.length
  for (const path of NUL_PAGES) {
    const { status, text } = await ask({ path })
    expect([status, text.includes('Page not found')], path).toEqual([404, true])
  }
  for (const call of NUL_CALLS) {
    const { status, text } = await ask(call)
    expect(status, `${call.path}: ${text}`).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ ok: false, problem: { title: expect.stringMatching(/\w/) } })
  }
  expect(programs.console.printed.slice(before)).not.toMatch(/invalid byte sequence|22021|"level":50/)
})

test('answers 404 behind a proxy with any forwarded name', { tag: '@long' }, async () => {
  const proxied: readonly Readonly<Record<string, string>>[] = [
    {},
    { host: 'console.example', 'x-forwarded-proto': 'https' },
    { host: 'elsewhere.example' },
  ]
  for (const headers of proxied) {
    const { status, text } = await ask({ path: '/no-such-page', headers })
    expect([status, text.includes('Page not found')], JSON.stringify(headers)).toEqual([404, true])
  }
})

test('escapes that mean nothing are no fault of the console', { tag: '@long' }, async () => {
  for (const senseless of ['%ff', '%zz', '%', '%ed%a0%80', '%c0%ae%c0%ae']) {
    for (const area of [...AREAS, 'activity', 'deposits/statements']) {
      expect((await ask({ path: `/${area}/${senseless}` })).status, `/${area}/${senseless}`).toBe(404)
    }
  }
})

test('a body in pieces is read up to the same bound as any other', { tag: '@long' }, async () => {
  const body = JSON.stringify({ kind: 'case.note', params: { caseId: ID, text: 'x'.repeat(70 * 1024) } })
  const { status } = await ask({ method: 'POST', path: '/api/commands', body })
  expect([400, 413]).toContain(status)
})
