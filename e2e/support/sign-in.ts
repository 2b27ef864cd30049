import { expect, type Page } from '@playwright/test'
import { PASSWORD } from './sandbox-controls.ts'

/** Signs in through single sign-on, as a person does, starting at whatever page is given. */
export async function signInWithSso(page: Page, email: string, start = '/deposits'): Promise<void> {
  await page.goto(start)
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: `Account: ${email}` })).toBeVisible()
}

/** Signs in once more where the identity provider still knows the person: without a word, back to where they were. */
export async function signInAgain(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: /Continue with/ }).click()
  await expect(page.getByRole('button', { name: `Account: ${email}` })).toBeVisible()
}

/** Signs in with a password on the console's own page. */
export async function signInWithPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
}
