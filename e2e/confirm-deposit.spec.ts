import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, holdLooks, outcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'
import { statesSeen } from './support/transaction-states.ts'

const OPERATOR = 'operator@example.com'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const DAY_SECONDS = 86_400

async function lookUp(page: Page, reference: string): Promise<void> {
  await page.getByLabel('Reference', { exact: true }).fill(reference)
  await page.getByRole('button', { name: 'Look up' }).click()
}

async function fillStatement(page: Page, bankReference: string, amount: string): Promise<void> {
  await page.getByLabel('Bank’s reference').fill(bankReference)
  await page.getByLabel('Amount on the statement').fill(amount)
}

test('an operator signs in through SSO, confirms a deposit, and the money is held and then released', async ({
  page,
  sandbox,
}) => {
  const holder = await sandbox.newHolder('nova')
  const reference = await sandbox.announceDeposit(holder.email, '250.00', 'Top-up')
  const before = await sandbox.balances(holder.id)
  await signIn(page, OPERATOR)
  await expect(page).toHaveURL('/deposits')

  await lookUp(page, reference)
  await expect(page.getByText('Top-up')).toBeVisible()
  await expect(page.getByText('Queued', { exact: true })).toBeVisible()
  await fillStatement(page, 'ATL-1', 'BZD 250.00')
  await expect(page.getByText('Read as 250.00 BZD.')).toBeVisible()
  await expect(page.getByText('Same amount')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm deposit of 250.00 BZD' }).click()

  const dialog = page.getByRole('dialog', { name: 'Confirm deposit of 250.00 BZD' })
  await expect(dialog).toContainText(reference)
  await expect(dialog).toContainText('ATL-1')
  await expect(dialog).toContainText('held for 24 hours')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm deposit of 250.00 BZD' }).click()

  const done = outcome(page, 'Done')
  await expect(done).toContainText('Deposit of 250.00 BZD confirmed')
  await expect(done.getByText('Processing', { exact: true })).toBeVisible()
  await expect(done.getByRole('button', { name: 'copy Chain reference' })).toContainText(/0x[0-9a-f]{64}/)
  await expect(done.getByRole('button', { name: 'copy Contract address' })).toContainText(/0x[0-9a-f]{40}/)
  await expect(done).toContainText(OPERATOR)
  await expect(outcome(page, 'Confirm a deposit').getByText('Processing', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('n')
  await expect(page).toHaveURL('/deposits')
  await expect(page.getByLabel('Reference', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Reference', { exact: true })).toHaveValue('')

  const held = await sandbox.balances(holder.id)
  expect(held.availableBalance).toBe(before.availableBalance)
  expect(Number(held.totalBalance) - Number(before.totalBalance)).toBeCloseTo(250, 8)
  await sandbox.advance(DAY_SECONDS)
  await page.goto(`/transactions/${reference}`)
  await expect(statesSeen(page)).toContainText(['Queued', 'Processing', 'Processed'])
  await expect(statesSeen(page).last()).toHaveAttribute('aria-current', 'step')
  await expect(page.getByText('Settled. A refund is a separate transaction.')).toBeVisible()
  await expect(page.getByRole('link', { name: OPERATOR })).toHaveAttribute('href', /^\/activity\//)
  await expect(page.getByText('ATL-1', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const released = await sandbox.balances(holder.id)
  expect(Number(released.availableBalance) - Number(before.availableBalance)).toBeCloseTo(250, 8)
})

test('a double click, and Enter held down, confirm once', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '40')
  const sentBefore = await sandbox.arrived('POST', CONFIRM)
  await signIn(page, OPERATOR)
  await lookUp(page, reference)
  await fillStatement(page, 'ATL-2', '40')
  await page.getByRole('button', { name: /^Confirm deposit/ }).dblclick()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .dblclick()
  await expectOutcome(page, 'Done')
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(sentBefore + 1)
})

test('what came of a confirmation is still there after a reload', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '41')
  await signIn(page, OPERATOR)
  await lookUp(page, reference)
  await fillStatement(page, 'ATL-3', '41')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(outcome(page, 'Done')).toBeVisible()
  await page.reload()
  await expect(outcome(page, 'Done')).toContainText(reference.slice(-6))
  await expect(outcome(page, 'Done').getByRole('button', { name: 'copy Trace id' })).toBeVisible()
})

test('a confirmation whose answer is lost is not known yet, and settles by reading, sent once', async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '75')
  const sentBefore = await sandbox.arrived('POST', CONFIRM)
  await signIn(page, OPERATOR)
  await lookUp(page, reference)
  await fillStatement(page, 'ATL-4', '75')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: 'drop-after' })
  const letLook = await holdLooks(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(await expectOutcome(page, 'Not known yet')).toContainText('It is not sent again')
  await expect(page.getByText('The previous change is still being checked.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Confirm deposit of/ })).toBeDisabled()
  letLook()
  await expect(outcome(page, 'Done')).toContainText('Processing')
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(sentBefore + 1)
})

test('an accepted confirmation is watched until it is done', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '76')
  await signIn(page, OPERATOR)
  await lookUp(page, reference)
  await fillStatement(page, 'ATL-5', '76')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: 'accept-202' })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(await expectOutcome(page, 'Not confirmed yet')).toContainText('Pending')
  await expect(outcome(page, 'Done')).toContainText('Processing')
})

test('a reference of odd characters is looked up and confirmed like any other', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR)
  await lookUp(page, 'DEP~90/ad 7%2B+ü?#.20261101')
  await fillStatement(page, 'ATL-6', '12.00')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(outcome(page, 'Done')).toBeVisible()
  await page.getByRole('link', { name: 'Open the transaction' }).click()
  await expect(page.getByRole('heading', { name: 'Transaction', exact: true })).toBeVisible()
  await expect(statesSeen(page).last()).toContainText('Processing')
})

test('until the dialog is loaded the button stays disabled, and nothing is prepared twice', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '44')
  await signIn(page, OPERATOR, `/deposits?reference=${encodeURIComponent(reference)}`)
  await fillStatement(page, 'ATL-SLOW', '44')
  const confirm = page.locator('form').getByRole('button', { name: /^Confirm deposit|^Checking/ })
  await expect(confirm).toBeEnabled()
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/_next/static/chunks/**', async (route) => {
    await held
    await route.continue()
  })
  const drafts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/commands')) drafts.push(request.url())
  })
  const drafted = page.waitForResponse((response) => response.url().endsWith('/api/commands'))
  await confirm.click()
  await drafted
  await page.getByLabel('Bank’s reference').press('Enter')
  await expect(confirm).toHaveText('Checking')
  await expect(confirm).toBeDisabled()
  release()
  await expect(page.getByRole('dialog')).toContainText('ATL-SLOW')
  expect(drafts).toHaveLength(1)
})
