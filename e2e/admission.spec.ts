import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'

const NOT_STAFF = 'Your account is not marked as staff'

/** At the identity provider's own page. */
async function enterAtProvider(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function expectRefused(page: Page, context: BrowserContext): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: NOT_STAFF })).toContainText('Ask your administrator')
  expect((await context.cookies()).filter(({ name }) => name === '__Host-console.sid')).toEqual([])
  await expectAccessible(page)
  await page.goto('/deposits')
  await expect(page).toHaveURL(/\/sign-in/)
}

test('nobody who is not staff gets a session, by single sign-on or by a password', async ({
  page,
  context,
  programs,
}) => {
  await page.goto('/deposits')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await enterAtProvider(page, 'ana@example.com')
  await expectRefused(page, context)
  for (const email of ['ana@example.com', 'viewer@example.com']) {
    await signInWithPassword(page, email)
    await expectRefused(page, context)
  }
  expect(await programs.postgres?.query('SELECT id FROM session')).toEqual([])
})

test('who was refused can sign in as somebody else, without going in circles', { tag: '@long' }, async ({ page }) => {
  await page.goto('/deposits')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await enterAtProvider(page, 'ben@example.com')
  await page.getByRole('button', { name: 'Sign in with another account' }).click()
  await enterAtProvider(page, 'viewer@example.com')
  await expect(page.getByRole('button', { name: 'Account: viewer@example.com' })).toBeVisible()
})

test('staff get in: the viewer by single sign-on, an operator by either way', { tag: '@long' }, async ({
  page,
  browser,
  programs,
}) => {
  await signIn(page, 'viewer@example.com')
  for (const way of ['sso', 'password'] as const) {
    const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
    const other = await elsewhere.newPage()
    await (way === 'sso' ? signIn : signInWithPassword)(other, 'operator@example.com')
    await expect(other.getByRole('button', { name: 'Account: operator@example.com' })).toBeVisible()
    await elsewhere.close()
  }
})

test('what could not be found out is not told as a refusal of the person', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await sandbox.fault({ method: 'GET', path: '/idp/me', effect: { status: 503 } })
  await signInWithPassword(page, 'operator@example.com')
  await expect(page.getByText('but your user could not be read')).toBeVisible()
  await sandbox.fault({ method: 'GET', path: '/api/v1/Users/{id}/scopes', effect: { status: 503 } })
  await signInWithPassword(page, 'operator@example.com')
  await expect(page.getByText('Your staff status could not be checked')).toBeVisible()
})

test('a refusal of single sign-on itself is told as that', { tag: '@long' }, async ({ page }) => {
  await page.goto('/api/auth/callback/sso?error=access_denied&state=any')
  await expect(page.getByText('Single sign-on refused the sign-in.')).toBeVisible()
})

test('no text in the address of the sign-in page breaks it', { tag: '@long' }, async ({ page }) => {
  for (const query of ['why=constructor', 'why=__proto__', 'error=constructor', 'error=__proto__']) {
    await page.goto(`/sign-in?${query}`)
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  }
})
