import type { Page } from '@playwright/test'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const READ = '/api/v1/Transaction/{referenceId}'
const DAY_SECONDS = 86_400

const row = (page: Page, reference: string) =>
  page.getByRole('table', { name: 'Deposits confirmed here' }).getByRole('row').filter({ hasText: reference })

test('deposits confirmed here stand below the form, newest first, with their state and the end of their hold', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '1200.5'),
    await sandbox.announceDeposit('ana@example.com', '85'),
  ]
  await signIn(page, OPERATOR)
  await confirmDeposit(page, first, '1200.5')
  // The table is there beside what came of the confirmation, and knows of it.
  await expect(row(page, first)).toContainText(/1,200\.50.*Processing.*operator@example\.com/)
  await confirmDeposit(page, second, '85')
  await page.goto('/deposits')
  await expect(row(page, second)).toContainText(/85\.00.*Processing/)
  await expect(row(page, second)).not.toContainText('ended')
  await expect(page.getByRole('table', { name: 'Deposits confirmed here' }).getByRole('row').nth(1)).toContainText(
    second,
  )
  await expectAccessible(page)
  await sandbox.advance(DAY_SECONDS)
  await page.reload()
  await expect(row(page, first)).toContainText(/Processed.*ended/)
  await row(page, first).getByRole('link', { name: first }).click()
  await expect(page).toHaveURL(`/transactions/${encodeURIComponent(first)}`)
})

test('a state that cannot be read is said to be so, beside the last one seen; the facts stay', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '86')
  await signIn(page, OPERATOR)
  await confirmDeposit(page, reference, '86')
  await page.goto('/deposits')
  await expect(row(page, reference)).toContainText('Processing')
  await sandbox.fault({ method: 'GET', path: READ, times: 200, effect: { status: 500, title: 'words of a stack' } })
  await page.reload()
  await expect(row(page, reference)).toContainText(/86\.00.*Processing.*not read now.*The service could not answer/)
  await expect(page.getByText('words of a stack')).toHaveCount(0)
  await sandbox.clearFaults()
  await page.reload()
  await expect(row(page, reference)).toContainText('Processing')
  await expect(row(page, reference)).not.toContainText('not read now')
})

test('who does not confirm deposits sees their own alone, and an empty list says why it is empty', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '87')
  await signIn(page, 'viewer@example.com', '/')
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await expect(page.getByText('No confirmed deposits yet')).toBeVisible()
  await expect(page.getByText('Only your own; all need core:transactions:confirm.')).toBeVisible()
  await page.goto('/deposits?page=7')
  await expect(page.getByText('No confirmed deposits yet')).toBeVisible()
})
