import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'
import { disableButton, openMerchant, registerButton, row, uid } from './support/terminal-tasks.ts'

const OPERATOR = 'operator@example.com'
const LIST = '/api/v1/merchant-terminals'
const NOBODYS = '11111111-2222-4333-8444-555555555555'

test('what is no UID is refused at its field, stays typed, and nothing is sent', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-001')
  const before = await sandbox.arrived('POST', LIST)
  for (const [typed, words] of [
    ['', 'Enter the UID'],
    ['x'.repeat(201), 'At most 200 characters; this has 201.'],
    ['PAX-A920-0001', 'already has a terminal with this UID'],
    ['PAX-A920-0001\u200B', 'already has a terminal with this UID'],
  ] as const) {
    await uid(page).fill(typed)
    await registerButton(page).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(uid(page)).toHaveValue(typed)
    await expect(uid(page)).toHaveAttribute('aria-invalid', 'true')
  }
  expect(await sandbox.arrived('POST', LIST)).toBe(before)
})

test('shows a refusal by field, with code and trace id', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-001')
  // One of merchant-002.
  await uid(page).fill('PAX-A920-0006')
  await registerButton(page).click()
  const refused = await expectOutcome(page, 'Not done')
  await expect(refused).toContainText('This UID is already registered')
  await expect(refused).toContainText('core::tessera::terminal::already_registered')
  await expect(refused.getByRole('button', { name: 'copy Trace id' })).toBeVisible()
  await expectAccessible(page)
  await uid(page).fill('x'.repeat(65))
  await registerButton(page).click()
  await expect(refused).toContainText('core::tessera::terminal::invalid')
  await expect(refused).toContainText('terminalUid')
  await expect(uid(page)).toHaveValue('x'.repeat(65))
})

test('what is no merchant id is refused before it is looked up', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, '/terminals')
  for (const typed of ['', 'x'.repeat(201)]) {
    await openMerchant(page, typed)
    await expect(page.getByRole('textbox', { name: 'Merchant' })).toHaveAttribute('aria-invalid', 'true')
    await expect(page).toHaveURL('/terminals')
  }
})

test('says that a merchant or terminal is not found', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, OPERATOR)
  for (const merchant of ['nobody', 'a/b?c#d%2F', '..']) {
    await openMerchant(page, merchant)
    await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Merchant' })).toHaveValue(merchant)
    await expect(registerButton(page)).toHaveCount(0)
  }
  await page.goto(`/terminals/${NOBODYS}`)
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await expect(page.getByRole('button', { name: 'copy Trace id' })).toBeVisible()
  await expect(disableButton(page)).toHaveCount(0)
  await page.goto('/terminals/PAX-A920-0001')
  await expect(page.getByText('Not a terminal id')).toBeVisible()
})

test('one without the scope is told which it is', { tag: '@long' }, async ({ page }) => {
  await signIn(page, 'arbitrator@example.com', '/terminals?merchant=merchant-001')
  await expect(page.getByText('It needs the scope core:merchant_terminals:read.')).toBeVisible()
  await expect(page.getByText('needs the scope core:merchant_terminals:create')).toBeVisible()
  await expect(registerButton(page)).toBeDisabled()
})

test('a list that cannot be read is never an empty one, and can be asked for again', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'GET', path: LIST, times: 3, effect: { status: 503, title: 'a stack' } })
  await page.goto('/terminals?merchant=merchant-001')
  await expect(page.getByText('The service could not answer')).toBeVisible()
  await expect(page.getByText('No terminals yet')).toHaveCount(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'PAX-A920-0001')).toBeVisible()
})
