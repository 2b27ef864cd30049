import { expect, test } from '../support/fixtures.ts'
import { picture } from '../support/picture.ts'
import { signIn } from '../support/sign-in.ts'

test('signing in and out', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 40\d/)
  await page.goto('/sign-in')
  await picture(page, 'sign-in/begins')
  await page.getByLabel('E-mail').fill('operator@example.com')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await expect(page.getByText('Wrong e-mail address or password.')).toBeVisible()
  await picture(page, 'sign-in/wrong-password')
  await signIn(page, 'viewer@example.com', '/')
  await picture(page, 'home/viewer')
  await page.goto('/deposits/statements')
  await picture(page, 'statements/without-the-scope')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await picture(page, 'frame/account-menu')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/signed-out/)
  await picture(page, 'sign-in/signed-out')
  await page.goto('/sign-in?why=ended&to=/users')
  await picture(page, 'sign-in/ended')
  await page.goto('/not-found')
  await picture(page, 'sign-in/no-such-page')
})
