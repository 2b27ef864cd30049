import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'

test('a dialog whose script does not come leaves the page and what is typed, and is tried again', {
  tag: '@long',
}, async ({ page, sandbox, expectedErrors }) => {
  expectedErrors.push(/net::ERR_FAILED/)
  const reference = await sandbox.announceDeposit('ana@example.com', '93')
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(reference)}`)
  const bankReference = page.getByLabel('Bank’s reference')
  await bankReference.fill('ATL-OUT-1')
  await page.getByLabel('Amount on the statement').fill('93')
  const scripts = '**/_next/static/chunks/**'
  await page.route(scripts, (route) => route.abort())
  await page.getByRole('button', { name: 'Confirm deposit of 93.00 BZD' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded' })
  await expect(notice).toBeInViewport()
  await expect(bankReference).toHaveValue('ATL-OUT-1')
  await expectAccessible(page)

  await page.unroute(scripts)
  await notice.getByRole('button', { name: 'Try again' }).click()
  const dialog = page.getByRole('dialog', { name: /^Confirm deposit/ })
  await expect(dialog).toBeVisible()
  await expect(notice).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(bankReference).toHaveValue('ATL-OUT-1')
})

test('refuses a different amount without the comparison script', { tag: '@long' }, async ({
  page,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_FAILED/)
  const reference = await sandbox.announceDeposit('ana@example.com', '93')
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(reference)}`)
  const confirm = page.getByRole('button', { name: 'Confirm deposit of 93.00 BZD' })
  await expect(confirm).toBeEnabled()
  await page.route('**/_next/static/chunks/**', (route) => route.abort())
  await page.getByLabel('Bank’s reference').fill('ATL-OUT-2')
  const amount = page.getByLabel('Amount on the statement')
  await amount.fill('94')
  await expect(page.getByText('Read as 94.00 BZD.')).toBeVisible()
  await confirm.click()
  await expect(page.getByText('The statement is 1.00 BZD more than the transaction.')).toBeVisible()

  await page.unroute('**/_next/static/chunks/**')
  await amount.fill('92')
  await expect(page.getByText('1.00 BZD missing')).toBeVisible()
  await expect(confirm).toBeDisabled()
})
