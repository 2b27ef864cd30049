import { randomBytes } from 'node:crypto'
import { expect, test } from './support/fixtures.ts'
import { handleOf } from './support/received.ts'
import { eightAtOnce, open, type Route, routes } from './support/routes.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signInWithPassword } from './support/sign-in.ts'

const guarded = routes.filter(({ file }) => !(file in open))
const isPage = ({ file }: Route): boolean => file.endsWith('page.tsx')

/** What a page of the console sends with everything it asks for. */
const own = (consoleUrl: string): Record<string, string> => ({
  'x-console': '1',
  'sec-fetch-site': 'same-origin',
  origin: consoleUrl,
  'content-type': 'application/json',
})

/** Takes a form with a file in it; all others take JSON. */
const takesForm = ({ file }: Route): boolean => file === 'app/api/deposits/statements/route.ts'
const EMPTY_FORM = '--b--\r\n'

const taken = (route: Route, headers: Record<string, string>): Record<string, string> =>
  takesForm(route) ? { ...headers, 'content-type': 'multipart/form-data; boundary=b' } : headers

const cookie = (handle: string): Record<string, string> => ({ cookie: `__Host-console.sid=${handle}` })

const ask = (url: string, method: string, headers: Record<string, string>, body?: string) =>
  fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })

const changes = guarded.flatMap((route) =>
  route.methods.filter((method) => method !== 'GET').map((method) => ({ ...route, method })),
)

test('the list of what is open names nothing that is gone', () => {
  const files = new Set(routes.map(({ file }) => file))
  expect(Object.keys(open).filter((file) => !files.has(file))).toEqual([])
  expect(guarded.filter(isPage).length).toBeGreaterThan(3)
  expect(changes.length).toBeGreaterThan(3)
})

/** Every page leads to sign-in, and every handler answers 401. */
async function expectNoSession(consoleUrl: string, shown: Record<string, string>): Promise<void> {
  const headers = own(consoleUrl)
  const requests = guarded.flatMap((route) => route.methods.map((method) => ({ route, method })))
  await eightAtOnce(requests, async ({ route, method }) => {
    const what = `${method} ${route.address}`
    const form = takesForm(route) && method === 'POST'
    const body = form ? EMPTY_FORM : '{}'
    const sent = { ...(form ? taken(route, headers) : headers), ...shown }
    const response = await ask(consoleUrl + route.address, method, sent, method === 'GET' ? undefined : body)
    if (isPage(route)) {
      expect(response.status, what).toBe(307)
      const to = new URL(response.headers.get('location') ?? '', consoleUrl)
      expect([to.origin, to.pathname], what).toEqual([consoleUrl, '/sign-in'])
    } else {
      expect(response.status, what).toBe(401)
      expect(await response.json(), what).toMatchObject({ ok: false })
    }
  })
}

test('an ended session is led to sign-in or answered 401', async ({ page, context, programs: { consoleUrl } }) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const ended = cookie(await handleOf(context))
  // Home asks what is open again and again; without a session it would be refused.
  await page.goto('about:blank')
  const out = await ask(`${consoleUrl}/api/session/sign-out`, 'POST', { ...own(consoleUrl), ...ended }, '{}')
  expect(out.status).toBe(200)
  await expectNoSession(consoleUrl, ended)
})

for (const [name, shown] of Object.entries({
  'no handle': {},
  'a made-up handle': cookie(randomBytes(64).toString('base64url')),
  'a text that is no handle': cookie('1'),
})) {
  test(`${name} is led to sign-in or answered 401`, ({ programs }) => expectNoSession(programs.consoleUrl, shown))
}

test('no handler that changes something takes a request that another site could have sent', async ({
  page,
  context,
  programs,
}) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const signedIn = { ...own(programs.consoleUrl), ...cookie(await handleOf(context)) }
  const { 'x-console': _console, ...withoutHeader } = signedIn
  const { origin: _origin, ...withoutOrigin } = signedIn
  const { 'sec-fetch-site': _site, ...withoutSite } = signedIn
  const attempts: readonly (readonly [string, Record<string, string>, string, number])[] = [
    ['without X-Console', withoutHeader, '{}', 403],
    ['without an origin', withoutOrigin, '{}', 403],
    ['of another origin', { ...signedIn, origin: 'https://evil.example' }, '{}', 403],
    ['without Sec-Fetch-Site', withoutSite, '{}', 403],
    ['from another site', { ...signedIn, 'sec-fetch-site': 'cross-site' }, '{}', 403],
    ['from a sister site', { ...signedIn, 'sec-fetch-site': 'same-site' }, '{}', 403],
    ['as text', { ...signedIn, 'content-type': 'text/plain' }, '{}', 415],
    ['as a form', { ...signedIn, 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415],
    ['of 65 KiB', signedIn, JSON.stringify('x'.repeat(65 * 1024)), 413],
  ]
  const requests = changes.flatMap((route) => attempts.map((attempt) => ({ route, attempt })))
  await eightAtOnce(requests, async ({ route, attempt: [how, headers, body, refused] }) => {
    const { address, method } = route
    // A form route refuses JSON by its type; it bounds the size of a form while it reads.
    const status = takesForm(route) && refused === 413 ? 415 : refused
    const response = await ask(programs.consoleUrl + address, method, headers, body)
    expect(response.status, `${method} ${address} ${how}`).toBe(status)
  })
  // Sign-out is one of them, and the session is still there.
  await page.goto('/transactions')
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
})

test('no handler that reads answers another site', async ({ page, context, programs }) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const signedIn = { ...own(programs.consoleUrl), ...cookie(await handleOf(context)) }
  const foreign = { ...signedIn, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const reads = guarded.filter((route) => !isPage(route) && route.methods.includes('GET'))
  await eightAtOnce(reads, async ({ address }) => {
    expect((await ask(programs.consoleUrl + address, 'GET', foreign)).status, address).toBe(403)
  })
})

test('the handshake takes no form of another site and none of any size', async ({ programs }) => {
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    origin: programs.consoleUrl,
  }
  for (const path of ['/sign-in', '/api/auth/callback/password', '/api/auth/signin/sso']) {
    for (const [headers, body, status] of [
      [{ origin: 'https://evil.example' }, 'email=a', 403],
      [{ origin: 'null' }, 'email=a', 403],
      [{ 'sec-fetch-site': 'cross-site' }, 'email=a', 403],
      [{ 'sec-fetch-site': 'same-site' }, 'email=a', 403],
      [{ 'sec-fetch-site': 'none' }, 'email=a', 403],
      [{ 'content-type': 'text/plain' }, 'email=a', 415],
      [{}, `email=${'a'.repeat(65 * 1024)}`, 413],
    ] as const) {
      const response = await ask(programs.consoleUrl + path, 'POST', { ...form, ...headers }, body)
      expect(response.status, path).toBe(status)
      expect(response.headers.get('set-cookie'), path).toBeNull()
    }
  }
})

test('nobody is signed in by a form that did not come from this console’s own page', async ({ programs }) => {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    origin: programs.consoleUrl,
  }
  const page = await fetch(`${programs.consoleUrl}/sign-in`)
  const [, token = ''] = /name="csrfToken" value="(\w{64})"/.exec(await page.text()) ?? []
  const [csrf = ''] = page.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  expect(page.headers.getSetCookie()[0]).toMatch(/^__Host-console\.csrf=.*HttpOnly; Secure; SameSite=Strict$/)
  const password = new URLSearchParams({ email: 'operator@example.com', password: PASSWORD })
  const signIn = (csrfToken: string, sent: Record<string, string>) =>
    ask(`${programs.consoleUrl}/sign-in`, 'POST', { ...headers, ...sent }, `${password}&csrfToken=${csrfToken}`)

  for (const [why, csrfToken, sent] of [
    ['no token', '', { cookie: csrf }],
    ['another token', 'a'.repeat(64), { cookie: csrf }],
    ['a token without its cookie', token, {}],
    ['a cookie of somebody’s making', token, { cookie: `__Host-console.csrf=${token}|${'a'.repeat(64)}` }],
  ] as const) {
    const refused = await signIn(csrfToken, sent)
    expect(await refused.text(), why).toContain('This sign-in page had expired')
    expect(refused.headers.getSetCookie().join(), why).not.toContain('console.sid')
  }
  const begun = await ask(
    `${programs.consoleUrl}/api/auth/signin/sso`,
    'POST',
    { ...headers, cookie: csrf },
    new URLSearchParams({ csrfToken: 'a'.repeat(64), callbackUrl: '/signed-in?to=%2Fusers' }).toString(),
  )
  expect(begun.headers.get('location')).toBe(`${programs.consoleUrl}/sign-in?why=stale&to=%2Fusers`)
  const taken = await signIn(token, { cookie: csrf })
  expect(taken.status).toBe(302)
  expect(taken.headers.getSetCookie().join()).toContain('__Host-console.sid=')
})
