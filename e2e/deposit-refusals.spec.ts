import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const reference = (page: Page) => page.getByLabel('Reference', { exact: true })
const amount = (page: Page) => page.getByLabel('Amount on the statement')
const bank = (page: Page) => page.getByLabel('Bank’s reference')
const confirmButton = (page: Page) => page.getByRole('button', { name: /^Confirm deposit of/ })

async function lookUp(page: Page, text: string): Promise<void> {
  await reference(page).fill(text)
  await page.getByRole('button', { name: 'Look up' }).click()
}

test('a reference that nobody has, and what is none, are told apart before anything is asked, and stay typed', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR)
  for (const text of ['DEP~nothing', 'DEP with spaces', 'a/b..c', '<script>alert(1)</script>']) {
    await lookUp(page, text)
    await expect(page).toHaveURL((url) => url.searchParams.get('reference') === text)
    await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
    await expect(reference(page)).toHaveValue(text)
  }
  await expectAccessible(page)
  // A step in a path is no reference.
  for (const text of ['a/b/../c', '..', '%2e%2e%2f']) {
    await page.goto('/deposits')
    await lookUp(page, text)
    await expect(page.getByText('are not references')).toBeVisible()
    await expect(reference(page)).toHaveValue(text)
  }
  await lookUp(page, '')
  await expect(page.getByText('Enter the reference from the bank notice.')).toBeVisible()
  const long = 'x'.repeat(5000)
  await lookUp(page, long)
  await expect(page.getByText('Too long: 5,000 characters')).toBeVisible()
  await expect(reference(page)).toHaveValue(long)
  expect(await sandbox.arrived('GET', `/api/v1/Transaction/${long}`)).toBe(0)
})

test('an address with an empty look-up shows what is missing', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, OPERATOR)
  for (const [area, words] of [
    ['deposits?reference=', 'Enter the reference from the bank notice.'],
    ['transactions?reference=', 'Enter the reference from the bank notice.'],
    ['users?id=', 'Enter a user id.'],
    ['terminals?merchant=', 'Enter a merchant id.'],
  ] as const) {
    await page.goto(`/${area}`)
    await expect(page.getByRole('main').getByText(words).first()).toBeVisible()
  }
})

test('an address with 5,000 characters of reference answers with words as well', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, `/transactions/${'x'.repeat(5000)}`)
  await expect(page.getByText('Too long: 5,000 characters')).toBeVisible()
})

test('what is missing, is no amount, or differs is told at its field and stays', async ({ page, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '250')
  await signIn(page, OPERATOR)
  await lookUp(page, announced)
  await confirmButton(page).click()
  await expect(page.getByText('Enter the bank’s reference')).toBeVisible()
  await expect(page.getByText('Enter the amount on the bank statement.')).toBeVisible()
  await bank(page).fill('ATL-R1')
  for (const [typed, words] of [
    ['250,00', 'The comma is ambiguous'],
    ['1.123456789', 'At most eight decimal places'],
    ['-250', 'without a minus sign'],
    ['ten', 'Use digits and a point for cents'],
  ] as const) {
    await amount(page).fill(typed)
    await confirmButton(page).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(amount(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(amount(page)).toHaveValue(typed)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  for (const [typed, words] of [
    ['249.50', '0.50 BZD missing'],
    ['250.00000001', '0.00000001 BZD too much'],
  ] as const) {
    await amount(page).fill(typed)
    await expect(page.getByText(words)).toBeVisible()
    await expect(confirmButton(page)).toBeDisabled()
  }
})

test('a deposit that somebody else confirmed meanwhile is not sent, and both versions are shown', {
  tag: '@long',
}, async ({ browser, page, programs, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '60')
  await signIn(page, OPERATOR)
  await lookUp(page, announced)
  await bank(page).fill('ATL-R3')
  await amount(page).fill('60')
  await confirmButton(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()

  const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
  const other = await elsewhere.newPage()
  await signIn(other, 'admin@example.com')
  await lookUp(other, announced)
  await bank(other).fill('ATL-R4')
  await amount(other).fill('60')
  await confirmButton(other).click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(other.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await elsewhere.close()

  const sent = await sandbox.arrived('POST', CONFIRM)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  const changed = await expectOutcome(page, 'Changed since you checked')
  await expect(changed.getByRole('row').first()).toContainText('When you checked')
  await expect(changed.getByRole('row', { name: /^State/ }).getByRole('cell')).toContainText(['Queued', 'Processing'])
  // What is the same in both stands outside of it, once.
  await expect(changed.getByRole('table')).not.toContainText('60.00')
  await expect(changed.getByRole('listitem')).toContainText('Confirm deposit of 60.00 BZD, by admin@example.com')
  await expect(changed.getByRole('link', { name: 'Confirm deposit of 60.00 BZD' })).toHaveAttribute(
    'href',
    /^\/activity\//,
  )
  await expectAccessible(page)
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(sent)
})

test('a deposit that is no longer queued offers nothing to confirm', { tag: '@long' }, async ({ page, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '61')
  await signIn(page, OPERATOR)
  await lookUp(page, announced)
  await bank(page).fill('ATL-R5')
  await amount(page).fill('61')
  await confirmButton(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await page.goto(`/deposits?reference=${encodeURIComponent(announced)}`)
  await expect(page.getByText('This transaction is Processing. Only a queued deposit can be confirmed.')).toBeVisible()
  await expect(confirmButton(page)).toHaveCount(0)
})

test('a bank reference confirms one deposit, whatever its case; the page says who used it and for what', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '62'),
    await sandbox.announceDeposit('ana@example.com', '62'),
  ]
  await signIn(page, OPERATOR)
  for (const [announced, bankReference] of [
    [first, 'ATL-R6'],
    [second, ' atl-r6 '],
  ] as const) {
    await page.goto(`/deposits?reference=${encodeURIComponent(announced)}`)
    await bank(page).fill(bankReference)
    await amount(page).fill('62')
    await confirmButton(page).click()
    if (announced === first) {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Confirm deposit/ })
        .click()
      await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
    }
  }
  await expect(page.getByText(`is already in use in this console: ${OPERATOR}`)).toContainText(first)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a viewer sees the deposit and why they may not confirm it', { tag: '@long' }, async ({ page, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '63')
  await signIn(page, 'viewer@example.com')
  await lookUp(page, announced)
  await expect(page.getByText('needs the scope core:transactions:confirm')).toBeVisible()
  await expect(confirmButton(page)).toBeDisabled()
})

test('text of wallet users cannot turn the page around', { tag: '@long' }, async ({ page, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '64', 'safe\u202Egnp.exe <b>bold</b>')
  await signIn(page, OPERATOR)
  await lookUp(page, announced)
  await expect(page.getByText('safe[U+202E]gnp.exe <b>bold</b>')).toBeVisible()
})
