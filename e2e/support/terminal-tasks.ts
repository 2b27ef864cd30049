import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export const uid = (page: Page) => page.getByRole('textbox', { name: 'UID' })
export const registerButton = (page: Page) => page.getByRole('button', { name: /^Register/ })
export const disableButton = (page: Page) => page.getByRole('button', { name: /^Disable/ })
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export async function openMerchant(page: Page, merchant: string): Promise<void> {
  await page.goto('/terminals')
  await page.getByRole('textbox', { name: 'Merchant' }).fill(merchant)
  await page.getByRole('button', { name: 'Look up' }).click()
}

export async function openTerminal(page: Page, terminalUid: string): Promise<void> {
  await row(page, terminalUid).getByRole('link', { name: 'Disable' }).click()
  await expect(page.getByRole('heading', { name: /^Terminal / })).toBeVisible()
}
