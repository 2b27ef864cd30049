import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { PASSWORD } from './support/sandbox-controls.ts'

test.use({ consoleEnvironment: { OIDC_ACR_VALUES: 'urn:sandbox:acr:two-factor', PASSWORD_SIGN_IN: 'off' } })

const ARBITRATOR = '00000000-0000-4000-8000-000000000002'

/** At the identity provider's own page. */
async function enterAtProvider(page: Page, email: string, code: string): Promise<void> {
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Authenticator code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('refuses a password alone, and accepts it with a code', {
  tag: '@long',
}, async ({ page, context, sandbox, programs }) => {
  await page.goto('/deposits')
  await expect(page.getByText('Or with a password')).toHaveCount(0)
  await page.getByRole('button', { name: /Continue with/ }).click()
  await enterAtProvider(page, 'arbitrator@example.com', '')
  await expect(page.getByRole('alert')).toContainText('needs a stronger sign-in')
  await expectAccessible(page)
  expect((await context.cookies()).filter(({ name }) => name === '__Host-console.sid')).toEqual([])
  expect(await programs.postgres?.query('SELECT id FROM session')).toEqual([])

  // The provider remembers the first sign-in, and is asked for another one.
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await enterAtProvider(page, 'arbitrator@example.com', await sandbox.code(ARBITRATOR))
  await expect(page.getByRole('button', { name: 'Account: arbitrator@example.com' })).toBeVisible()
})
