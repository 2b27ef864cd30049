import { expect, test } from './support/fixtures.ts'
import { askRaw } from './support/raw.ts'
import { handleOf } from './support/received.ts'
import { signInWithPassword } from './support/sign-in.ts'

const FIXED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
}

/** What a client would not ask, and what the framework or node answers by itself. */
const lines: readonly (readonly [line: string, status: number])[] = [
  ['TRACE / HTTP/1.1', 405],
  ['PROPFIND / HTTP/1.1', 405],
  ['OPTIONS * HTTP/1.1', 400],
  ['OPTIONS / HTTP/1.1', 307],
  ['HEAD / HTTP/1.1', 307],
  ['GET /%zz HTTP/1.1', 307],
  ['GET /_next/static/%zz HTTP/1.1', 404],
  ['GET /%2e%2e/ HTTP/1.1', 307],
  ['GET //elsewhere.example HTTP/1.1', 308],
  ['GET /\\elsewhere.example HTTP/1.1', 308],
  ['GET /sign-in/ HTTP/1.1', 308],
  ['GET /nothing-here/ HTTP/1.1', 308],
  ['GET http://elsewhere.example/sign-in/ HTTP/1.1', 400],
  ['GET /nothing-here HTTP/1.1', 307],
  ['GET /_next/static/missing.js HTTP/1.1', 404],
  ['GET /_next/image?url=%2Ficon.svg&w=64&q=75 HTTP/1.1', 307],
  ['DELETE /api/health HTTP/1.1', 405],
  ['NONSENSE', 400],
]

test('what a client would not ask is answered with the headers of all answers, and kept by nobody', async ({
  page,
  context,
  programs,
}) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const cookie = `Cookie: __Host-console.sid=${await handleOf(context)}\r\n`
  const host = `Host: ${new URL(programs.consoleUrl).host}\r\n`
  const requests: (readonly [string, number])[] = lines.map(([line, status]) => [`${line}\r\n${host}\r\n`, status])
  requests.push(
    [`GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\n${host}Expect: something\r\n\r\n`, 417],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${host}Host: elsewhere.example\r\n\r\n`, 400],
    [`GET /_next/image?url=%2Ficon.svg&w=64&q=75 HTTP/1.1\r\n${host}${cookie}\r\n`, 404],
    [`GET / HTTP/1.1\r\n${host}${cookie}\r\n`, 200],
    [`GET /nothing-here HTTP/1.1\r\n${host}${cookie}\r\n`, 404],
    [`TRACE / HTTP/1.1\r\n${host}${cookie}\r\n`, 405],
    [`GET /deposits/ HTTP/1.1\r\n${host}${cookie}\r\n`, 308],
    [`GET / HTTP/1.1\r\n${host}${cookie}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 200],
  )
  for (const [bytes, status] of requests) {
    const what = bytes.slice(0, 60)
    const answer = await askRaw(programs.consoleUrl, bytes)
    expect(answer.status, what).toBe(status)
    for (const [name, value] of Object.entries(FIXED)) expect(answer.headers.get(name), `${name}: ${what}`).toBe(value)
    expect(answer.headers.get('content-security-policy'), what).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cache-control'), what).toContain('no-store')
    expect(answer.headers.get('location') ?? '/', what).toMatch(/^\/(?!\/)/)
    expect(answer.headers.get('x-powered-by'), what).toBeUndefined()
  }
})

test('refuses a broken router state without an error line', async ({ programs }) => {
  const printed = programs.console.printed.length
  const host = new URL(programs.consoleUrl).host
  const lines = ['RSC: 1', 'Next-Router-State-Tree: broken', 'Cookie: __Host-console.sid=x']
  for (const path of ['/deposits', '/deposits?_rsc=6XZdQv6Std41JEV7', '/api/health', '/sign-in']) {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('\r\n')}\r\n\r\n`
    expect((await askRaw(programs.consoleUrl, bytes)).status, path).toBe(400)
  }
  expect(programs.console.printed.slice(printed)).not.toContain('"level":50')
})

test('keeps an unused connection longer than balancers do', async ({ programs }) => {
  const { headers } = await askRaw(programs.consoleUrl, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

const report = (url: string, body: string, type = 'application/csp-report') =>
  fetch(`${url}/api/csp-report`, { method: 'POST', headers: { 'content-type': type }, body })

test('logs directive and origin of refused content, a bounded number', async ({ page, programs, expectedErrors }) => {
  expectedErrors.push(/content security policy/i, /securitypolicyviolation/)
  await page.goto('/sign-in?to=/users/a-secret')
  const told = page.waitForRequest((request) => request.url().endsWith('/api/csp-report'))
  await page.evaluate(() => {
    new Image().src = 'https://elsewhere.invalid/a-secret.png?q=a-secret'
  })
  await told
  await expect
    .poll(() => programs.console.printed)
    .toMatch(/"event":"csp","directive":"img-src","blocked":"https:\/\/elsewhere\.invalid"/)
  expect(programs.console.printed).not.toContain('a-secret')

  const body = JSON.stringify({ 'csp-report': { 'effective-directive': 'font-src', 'blocked-uri': 'inline' } })
  const logged = () => programs.console.printed.split('"event":"csp"').length - 1
  const before = logged()
  const statuses = await Promise.all(
    Array.from({ length: 120 }, async () => (await report(programs.consoleUrl, body)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([204]))
  // 30 a minute, and the reports may fall into three minutes.
  expect(logged() - before).toBeLessThanOrEqual(90)
  expect((await report(programs.consoleUrl, 'x'.repeat(20_000))).status).toBe(413)
  expect((await report(programs.consoleUrl, body, 'text/plain')).status).toBe(415)
  expect((await report(programs.consoleUrl, 'no JSON')).status).toBe(204)
})

test('signing out clears what the browser has kept of the console', async ({ page }) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  await page.evaluate(() => localStorage.setItem('left', 'behind'))
  await page.getByRole('button', { name: 'Account: operator@example.com' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/signed-out')
  expect(await page.evaluate(() => localStorage.getItem('left'))).toBeNull()
})
