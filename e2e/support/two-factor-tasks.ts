import { expect, type Page } from '@playwright/test'
import { Phone } from './phone.ts'

export const panel = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Two-factor security', exact: true }) })
export const secret = (page: Page) => page.getByRole('button', { name: 'copy the secret' })
export const qrCode = (page: Page) => page.getByRole('img', { name: 'QR code of the key' })

export async function showKey(page: Page): Promise<Phone> {
  await page.getByRole('button', { name: 'Set up two-factor security' }).click()
  await expect(qrCode(page)).toBeVisible()
  return new Phone(await secret(page).textContent())
}
