import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { findSecrets, handleOf } from './support/received.ts'
import { signInThroughPages, signInWithPassword } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Account: ${OPERATOR}` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
}

/** What the console answers to a page with this handle: 200, or 307 to sign-in. */
async function statusWith(consoleUrl: string, handle: string): Promise<number> {
  const headers = { cookie: `__Host-console.sid=${handle}` }
  return (await fetch(`${consoleUrl}/deposits`, { headers, redirect: 'manual' })).status
}

test('signing out ends the session here and at single sign-on: the next sign-in asks for the password again', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await signInThroughPages(page, OPERATOR)
  const tokens = [...programs.proxy.tokens]
  await signOut(page)
  await expect(page.getByText('Single sign-on was asked to end its session')).toBeVisible()
  await expectAccessible(page)
  expect(await sandbox.arrived('POST', '/idp/token/revocation')).toBeGreaterThan(0)

  // None of the tokens that there were buys another.
  for (const token of tokens) {
    const response = await fetch(`${programs.proxy.url}/idp/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('operator-console:sandbox-console-secret').toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    })
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  }
  expect(findSecrets([{ what: 'addresses', text: addresses.join('\n') }], tokens)).toEqual([])
  expect(addresses.filter((address) => address.includes('/idp/session/end'))).not.toEqual([])

  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: /Continue with/ }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expect(page).toHaveURL(/\/idp\/sign-in\//)
})

test('signing out of a password session asks single sign-on for nothing', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signInWithPassword(page, OPERATOR)
  await expect(page).toHaveURL('/')
  const before = await sandbox.arrived('GET', '/idp/session/end')
  await page.getByRole('button', { name: `Account: ${OPERATOR}` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/signed-out')
  expect(await sandbox.arrived('GET', '/idp/session/end')).toBe(before)
})

test('single sign-on out of reach keeps nobody signed in, and the page says what that leaves open', {
  tag: '@long',
}, async ({ page, context, programs, sandbox }) => {
  await signInThroughPages(page, OPERATOR)
  const handle = await handleOf(context)
  await sandbox.fault({ method: 'POST', path: '/idp/token/revocation', effect: 'drop-before' })
  await signOut(page)
  await expect(page.getByText('You may still be signed in to single sign-on')).toBeVisible()
  await expectAccessible(page)
  expect(await statusWith(programs.consoleUrl, handle)).toBe(307)
})

test('signing out at single sign-on ends this session only', { tag: '@long' }, async ({
  browser,
  page,
  context,
  programs,
}) => {
  await signInThroughPages(page, OPERATOR)
  const handle = await handleOf(context)
  const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
  await signInThroughPages(await elsewhere.newPage(), OPERATOR)
  const otherHandle = await handleOf(elsewhere)

  const provider = await context.newPage()
  await provider.goto(`${programs.proxy.url}/idp/session/end`)
  await expect(provider.getByRole('heading', { name: 'Sign out of single sign-on?' })).toBeVisible()
  await expectAccessible(provider)
  expect(await statusWith(programs.consoleUrl, handle)).toBe(200)
  await provider.getByRole('button', { name: 'Sign out' }).click()
  await expect(provider.getByRole('heading', { name: 'Signed out' })).toBeVisible()

  await expect.poll(() => statusWith(programs.consoleUrl, handle)).toBe(307)
  await page.goto('/deposits')
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  expect(await statusWith(programs.consoleUrl, otherHandle)).toBe(200)
  await elsewhere.close()
})

test('a logout token of nobody is refused, in the words of the specification', async ({ programs }) => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${programs.consoleUrl}/api/session/back-channel-logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  for (const [body, status] of [
    ['logout_token=nonsense', 400],
    ['', 400],
    ['logout_token=a&logout_token=b', 400],
    [`logout_token=${'x'.repeat(20_000)}`, 413],
  ] as const) {
    const response = await post(body)
    expect(response.status, body.slice(0, 40)).toBe(status)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  }
  expect((await post('{"logout_token":"x"}', { 'content-type': 'application/json' })).status).toBe(400)
})
