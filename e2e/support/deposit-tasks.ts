import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Looks a deposit up and confirms it with a bank reference of its own; what comes of it is for the test to look at. */
async function sendConfirmation(page: Page, reference: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await page.getByLabel('Amount on the statement').fill(amount)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
}

export async function confirmDeposit(page: Page, reference: string, amount: string): Promise<void> {
  await sendConfirmation(page, reference, amount)
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
}
