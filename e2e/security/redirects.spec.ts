import { expect, test } from '../support/fixtures.ts'
import { PASSWORD } from '../support/sandbox-controls.ts'
import { addressIn } from '../support/sign-in.ts'
import { ELSEWHERE } from './corpora.ts'
import { type Answer, ask, CookieJar, expectGuarded, FORM_BODY, ownHeaders, signInAs } from './http.ts'
import { openForm, sendForm } from './sign-in-form.ts'

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Every address that an answer leads to: by its header, a refresh, a link, a form or a field of a form. */
function leadsTo({ headers, text }: Answer): readonly string[] {
  const inMarkup = [
    ...text.matchAll(/(?:href|action|src|formaction)="([^"]*)"/g),
    ...text.matchAll(/http-equiv="refresh" content="\d+;\s*url=([^"]*)"/g),
    ...text.matchAll(/name="callbackUrl" value="([^"]*)"/g),
  ].map(([, found = '']) => unescaped(found))
  return [...(headers.location === undefined ? [] : [headers.location]), ...inMarkup]
}

/** Where a browser ends up, also when what it is led to names a further address to lead to. */
function placesOf(address: string, consoleUrl: string): readonly (string | null)[] {
  const url = URL.parse(address, consoleUrl)
  if (url === null) return [null]
  const { pathname, searchParams } = url
  const to = /^\/sign(ed)?-in$/.test(pathname) ? searchParams.getAll('to') : []
  // Of this address the pages take a path alone, to be led to from there.
  const callback = searchParams.getAll('callbackUrl').map((text) => URL.parse(text, consoleUrl)?.origin ?? null)
  return [url.origin, ...callback, ...to.flatMap((next) => placesOf(next, consoleUrl))]
}

interface Expected {
  readonly what: string
  readonly statuses: readonly number[]
  /** Origins beside the console's own. */
  readonly also?: readonly string[]
}

function expectHere(answer: Answer, consoleUrl: string, { what, statuses, also = [] }: Expected): void {
  expectGuarded(answer, what)
  expect(statuses, what).toContain(answer.status)
  for (const address of leadsTo(answer)) {
    for (const origin of placesOf(address, consoleUrl))
      expect([consoleUrl, ...also], `${what}: ${address}`).toContain(origin)
  }
  expect(answer.text, what).not.toContain('<script>alert')
}

test('redirects within the console for any address parameter', {
  tag: '@long',
}, async ({ playwright, programs, sandbox: _seeded }) => {
  const { consoleUrl } = programs
  const { headers } = await signInAs(playwright.request, consoleUrl, 'operator@example.com')
  for (const elsewhere of ELSEWHERE) {
    const to = encodeURIComponent(elsewhere)
    for (const [path, signedOut, signedIn] of [
      [`/sign-in?to=${to}`, [200], [303]],
      [`/sign-in?to=%2Fusers&to=${to}`, [200], [303]],
      [`/sign-in?callbackUrl=${to}`, [200], [303]],
      [`/sign-in?callbackUrl=${encodeURIComponent(`${consoleUrl}/signed-in?to=${to}`)}`, [200], [303]],
      [`/sign-in?why=ended&to=${to}&error=${to}&seconds=${to}`, [200], [303]],
      [`/signed-in?to=${to}`, [200], [200]],
      [`/signed-out?state=${to}&only=${to}`, [200], [303]],
      [`/api/auth/signin?callbackUrl=${to}`, [404], [404]],
      [`/api/auth/signin/sso?callbackUrl=${to}`, [405], [405]],
      [`/api/auth/error?error=${to}`, [404], [404]],
      [`/api/auth/callback/sso?error=${to}&error_description=${to}&state=${to}`, [302], [302]],
      // Refused, unless it is an address of the console after all.
      [`/api/auth/callback/sso?error=access_denied&callbackUrl=${to}`, [302, 400], [302, 400]],
      [`/api/auth/csrf?callbackUrl=${to}`, [200, 400], [200, 400]],
      [`/api/auth/signout?callbackUrl=${to}`, [404], [404]],
      [`/?to=${to}&next=${to}&returnTo=${to}&redirect=${to}`, [307], [200]],
      [`/deposits?reference=${to}`, [307], [200]],
    ] as const) {
      expectHere(await ask(consoleUrl, { path }), consoleUrl, { what: path, statuses: signedOut })
      const what = `${path}, signed in`
      expectHere(await ask(consoleUrl, { path, headers }), consoleUrl, { what, statuses: signedIn })
    }
  }
})

test('redirects within the console for any field, cookie or host', {
  tag: '@long',
}, async ({ programs, sandbox: _seeded }) => {
  const { consoleUrl, proxy } = programs
  const provider = new URL(proxy.url).origin
  for (const elsewhere of ELSEWHERE) {
    const jar = new CookieJar()
    const csrfToken = await openForm(consoleUrl, jar)
    jar.values.set('__Host-console.callback', encodeURIComponent(elsewhere))
    const headers = { ...ownHeaders(consoleUrl), ...jar.headers, ...FORM_BODY }
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      ask(consoleUrl, { method: 'POST', path, headers, body: new URLSearchParams({ csrfToken, ...fields }).toString() })
    const what = JSON.stringify(elsewhere)
    // The provider itself is where single sign-on leads; where it comes back to stands in its query.
    const begun = await post('/api/auth/signin/sso', { callbackUrl: elsewhere })
    expectHere(begun, consoleUrl, { what: `single sign-on with ${what}`, statuses: [200, 400], also: [provider] })
    const back = URL.parse(addressIn(begun.text) ?? '')?.searchParams.get('redirect_uri') ?? null
    if (back !== null) expect(back).toBe(`${consoleUrl}/api/auth/callback/sso`)
    jar.take(begun)
    // Where it leads when the way back has come: the address of this console, in full.
    const kept = decodeURIComponent(jar.values.get('__Host-console.callback') ?? '')
    if (begun.status !== 400) expect(new URL(kept).origin, what).toBe(consoleUrl)
    const wrong = { email: 'nobody@example.com', password: '', callbackUrl: elsewhere }
    const refused = { what: `a password with ${what}`, statuses: [302, 400] }
    expectHere(await post('/api/auth/callback/password', wrong), consoleUrl, refused)
  }
  for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:80']) {
    for (const [path, status] of [
      ['/', 307],
      ['/deposits', 307],
      ['/sign-in/', 308],
      ['/sign-in?to=%2Fusers', 200],
      ['/api/auth/signin', 404],
      ['/users/', 308],
    ] as const) {
      const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
      const answer = await ask(consoleUrl, { path, headers })
      expectHere(answer, consoleUrl, { what: `${path} asked at ${host}`, statuses: [status] })
    }
  }
})

test('lands within the console after a hostile sign-in address', { tag: '@long' }, async ({
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl } = programs
  for (const elsewhere of ELSEWHERE) {
    const jar = new CookieJar()
    const path = `/sign-in?to=${encodeURIComponent(elsewhere)}`
    const csrfToken = await openForm(consoleUrl, jar, path)
    const answer = await sendForm(consoleUrl, jar, {
      path,
      csrfToken,
      email: 'operator@example.com',
      password: PASSWORD,
    })
    expectHere(answer, consoleUrl, { what: elsewhere, statuses: [302] })
  }
})
