import { expect, test } from '../support/fixtures.ts'
import { PASSWORD } from '../support/sandbox-controls.ts'
import { ask, CookieJar, FORM_BODY, HANDLE, isSignedIn, ownHeaders, signInAs, withHandle } from './http.ts'
import { openForm, sendForm } from './sign-in-form.ts'

const OPERATOR = 'operator@example.com'

const nameOf = async (consoleUrl: string, handle: string): Promise<string | undefined> => {
  const answer = await ask(consoleUrl, { path: '/api/auth/session', headers: withHandle(handle) })
  return (JSON.parse(answer.text) as { readonly user?: { readonly name: string } }).user?.name
}

test('never reuses a planted handle for a session', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const attacker = await signInAs(playwright.request, consoleUrl, 'viewer@example.com')
  const handles = new Set<string>()
  for (const planted of ['A'.repeat(86), attacker.handle, 'x', '']) {
    const jar = new CookieJar()
    // A page of somebody who is signed in leads on, so the form comes from another; it can be sent all the same.
    const csrfToken = await openForm(consoleUrl, jar)
    jar.values.set(HANDLE, planted)
    const answer = await sendForm(consoleUrl, jar, { email: OPERATOR, password: PASSWORD, csrfToken })
    const handle = jar.values.get(HANDLE) ?? ''
    expect(handle).toMatch(/^[\w-]{86}$/)
    expect(handle).not.toBe(planted)
    expect(answer.setCookies.find((line) => line.startsWith(HANDLE))).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
    expect(await nameOf(consoleUrl, handle)).toBe(OPERATOR)
    if (planted !== attacker.handle) expect(await isSignedIn(consoleUrl, planted)).toBe(false)
    handles.add(handle)
  }
  expect(handles.size).toBe(4)
  expect(await nameOf(consoleUrl, attacker.handle)).toBe('viewer@example.com')
})

test('sets a routing cookie with each session, and never again', async ({ programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const routes: (string | undefined)[] = []
  for (let session = 0; session < 2; session += 1) {
    const jar = new CookieJar()
    const csrfToken = await openForm(consoleUrl, jar)
    expect(jar.values.has('__Host-console.route')).toBe(false)
    await sendForm(consoleUrl, jar, { email: OPERATOR, password: PASSWORD, csrfToken })
    routes.push(jar.values.get('__Host-console.route'))
    const page = await ask(consoleUrl, { path: '/deposits', headers: jar.headers })
    expect([page.status, page.setCookies.join()]).toEqual([200, expect.not.stringContaining('route')])
  }
  expect(routes).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.not.stringMatching(routes[0] ?? 'none')])
})

test('accepts a handle in its cookie only', async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const { handle } = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const headers = ownHeaders(consoleUrl)
  const ways: readonly (readonly [path: string, headers: Record<string, string>])[] = [
    [`/api/session/recent-things?${HANDLE}=${handle}`, {}],
    [`/api/session/recent-things?sid=${handle}&token=${handle}`, {}],
    ['/api/session/recent-things', { authorization: `Bearer ${handle}` }],
    ['/api/session/recent-things', { 'x-session': handle, [HANDLE]: handle }],
    ['/api/session/recent-things', { cookie2: `${HANDLE}=${handle}` }],
  ]
  for (const [path, more] of ways) {
    expect((await ask(consoleUrl, { path, headers: { ...headers, ...more } })).status, path).toBe(401)
  }
  expect(
    (await ask(consoleUrl, { path: ways[2]?.[0] ?? '', headers: { ...headers, ...withHandle(handle) } })).status,
  ).toBe(200)
})

test('binds every cookie to its origin, away from scripts', async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const jar = new CookieJar()
  const page = await ask(consoleUrl, { path: '/sign-in' })
  jar.take(page)
  const csrf = await ask(consoleUrl, { path: '/api/auth/csrf', headers: jar.headers })
  const { csrfToken } = JSON.parse(csrf.text) as { readonly csrfToken: string }
  const begun = await ask(consoleUrl, {
    method: 'POST',
    path: '/api/auth/signin/sso',
    headers: { ...ownHeaders(consoleUrl), ...jar.headers, ...FORM_BODY },
    body: new URLSearchParams({ csrfToken, callbackUrl: '/signed-in?to=%2F' }).toString(),
  })
  const person = await signInAs(playwright.request, consoleUrl, OPERATOR)
  const signedIn = await sendForm(consoleUrl, jar, { email: OPERATOR, password: PASSWORD, csrfToken })
  const chosen = await person.send('POST', '/api/session/preferences', { theme: 'dark' })
  const out = await person.send('POST', '/api/session/sign-out', {})
  const answers = { page, begun, signedIn, chosen, out }
  const cookies = Object.values(answers).flatMap(({ setCookies }) => setCookies)
  const names = new Set(cookies.map((line) => line.split('=')[0]))
  expect([...names].sort()).toEqual(
    ['callback', 'csrf', 'nonce', 'pkce', 'route', 'sid', 'signing-out', 'state'].map(
      (name) => `__Host-console.${name}`,
    ),
  )
  for (const line of cookies) {
    const [, ...attributes] = line.split('; ')
    for (const wanted of ['Path=/', 'HttpOnly', 'Secure'])
      expect(
        attributes.map((one) => one.toLowerCase()),
        line,
      ).toContain(wanted.toLowerCase())
    expect(line, line).not.toMatch(/domain=/i)
    const site = /^__Host-console\.(sid|csrf|route)=/.test(line) ? 'strict' : '(strict|lax)'
    expect(line, line).toMatch(new RegExp(`; samesite=${site}($|;)`, 'i'))
  }
})
