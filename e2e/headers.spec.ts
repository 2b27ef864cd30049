import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { handleOf } from './support/received.ts'
import { eightAtOnce, routes } from './support/routes.ts'
import { signInWithPassword } from './support/sign-in.ts'

const FIXED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
}

function expectFixed(response: Response, what: string): void {
  for (const [name, value] of Object.entries(FIXED))
    expect(response.headers.get(name), `${name} of ${what}`).toBe(value)
  for (const name of ['x-powered-by', 'server', 'strict-transport-security', 'access-control-allow-origin']) {
    expect(response.headers.get(name), `${name} of ${what}`).toBeNull()
  }
}

test('every answer, whatever its route and status, carries the headers and is kept by nobody', async ({
  page,
  context,
  programs,
}) => {
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const handle = await handleOf(context)
  const own = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: programs.consoleUrl }
  const others = ['/nothing-here', '/api/nothing-here', '/api/auth/csrf'].map((address) => ({ file: '', address }))
  const nonces = new Set<string>()
  let runScripts = 0
  for (const signedIn of [false, true]) {
    await eightAtOnce([...routes, ...others], async ({ file, address }) => {
      // GET everywhere: where a handler takes none, that is an answer of 405 like any other.
      const headers = { ...own, ...(signedIn ? { cookie: `__Host-console.sid=${handle}` } : {}) }
      const response = await fetch(programs.consoleUrl + address, { headers, redirect: 'manual' })
      await response.body?.cancel()
      const what = `${response.status} ${address}`
      expectFixed(response, what)
      expect(response.headers.get('cache-control'), what).toContain('no-store')
      const policy = response.headers.get('content-security-policy') ?? ''
      const [, scripts = ''] = /script-src ([^;]+);/.exec(policy) ?? []
      const [, nonce] = /^'nonce-([\w+/]{22}==)' 'strict-dynamic'$/.exec(scripts) ?? []
      // Pages of the frame alone run scripts.
      if (signedIn && file.endsWith('page.tsx')) expect(nonce, what).toBeDefined()
      else expect(scripts, what).toBe("'none'")
      expect(policy, what).toContain("form-action 'self';")
      expect(policy, what).toContain("frame-ancestors 'none'")
      expect(policy, what).toContain('report-uri /api/csp-report')
      expect(policy.replace("style-src 'self' 'unsafe-inline'", ''), what).not.toContain('unsafe')
      if (nonce === undefined) return
      nonces.add(nonce)
      runScripts += 1
    })
  }
  expect(runScripts).toBeGreaterThan(15)
  expect(nonces.size).toBe(runScripts)
})

/** What a page loads for itself. */
const filesOf = (page: Page, which: string): Promise<string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)].map(
        (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '',
      ),
    which,
  )

test('sends the headers with built files, which may be cached', async ({ page, programs }) => {
  await page.goto('/sign-in')
  const plain = await filesOf(page, 'link[rel=stylesheet]')
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  expect(new Set(await filesOf(page, 'link[rel=stylesheet]'))).toEqual(new Set(plain))
  const files = await filesOf(page, 'script[src], link[rel=stylesheet], link[rel=icon]')
  expect(files.some((file) => file.split('?')[0]?.endsWith('.js'))).toBe(true)
  expect(files.some((file) => file.startsWith('/icon.svg'))).toBe(true)
  for (const file of files) {
    const response = await fetch(new URL(file, programs.consoleUrl))
    expect(response.status, file).toBe(200)
    expectFixed(response, file)
    if (file.startsWith('/icon.svg')) continue
    expect(response.headers.get('cache-control'), file).toContain('immutable')
    expect(response.headers.get('content-encoding'), file).toMatch(/^(br|gzip)$/)
  }
})

/** What a page would do that somebody has put something into. */
const injections: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  // The frame's document has the policy of ours. (What a script of ours adds is trusted with it.)
  'a script in the markup': (page) =>
    page.evaluate(() => {
      const frame = document.createElement('iframe')
      frame.srcdoc = '<script>parent.injected = true</script>'
      document.body.append(frame)
    }),
  'a handler in an attribute': (page) =>
    page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<button id="put-in" onclick="window.injected = true">a</button>')
      document.querySelector<HTMLButtonElement>('#put-in')?.click()
    }),
  'a picture from elsewhere': (page) =>
    page.evaluate(() => {
      const image = new Image()
      image.src = 'https://elsewhere.invalid/a.png'
    }),
  'a request to elsewhere': (page) => page.evaluate(() => fetch('https://elsewhere.invalid/').catch(() => {})),
  'a form to elsewhere': (page) =>
    page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<form id="put-in" action="https://elsewhere.invalid/"></form>')
      document.querySelector<HTMLFormElement>('#put-in')?.submit()
    }),
}

for (const [what, inject] of Object.entries(injections)) {
  test(`${what} is stopped, and no test would overlook it`, async ({ page, expectedErrors }) => {
    expectedErrors.push(/content security policy/i, /securitypolicyviolation/)
    await page.goto('/sign-in')
    const violation = page.waitForEvent('pageerror', ({ message }) => message.startsWith('securitypolicyviolation'))
    await inject(page)
    await violation
    expect(await page.evaluate(() => 'injected' in window)).toBe(false)
  })
}
