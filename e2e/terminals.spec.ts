import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, holdLooks, outcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'
import { disableButton, openTerminal, registerButton, row, uid } from './support/terminal-tasks.ts'

const OPERATOR = 'operator@example.com'
const LIST = '/api/v1/merchant-terminals'
const DISABLE = '/api/v1/merchant-terminals/{terminalId}/disable'

test('an operator registers a reader for a merchant, and disables it by typing its label', async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  await page.getByRole('link', { name: 'Terminals' }).click()
  await page.getByRole('textbox', { name: 'Merchant' }).fill(' merchant-001 ')
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(row(page, 'PAX-A920-0001')).toContainText('Active')
  await expectAccessible(page)
  const before = await sandbox.arrived('POST', LIST)
  await uid(page).fill('PAX-E2E-1')
  await page.getByRole('textbox', { name: 'Label' }).fill('صندوق ١')
  await registerButton(page).dblclick()
  await expect(await expectOutcome(page, 'Done')).toContainText('PAX-E2E-1')
  await expect(row(page, 'PAX-E2E-1')).toContainText('صندوق ١')
  await expect(uid(page)).toHaveValue('')
  expect(await sandbox.arrived('POST', LIST)).toBe(before + 1)

  await openTerminal(page, 'PAX-E2E-1')
  const id = page.url().split('/').at(-1) ?? ''
  await disableButton(page).click()
  await expect(page.getByText('Enter why: lost, stolen or retired')).toBeVisible()
  await page.getByLabel('Reason').fill('Stolen, reported by the merchant')
  await disableButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Disable terminal صندوق ١' })
  await expect(dialog).toContainText('merchant-001')
  await expect(dialog).toContainText('This cannot be undone')
  await expectAccessible(page)
  const send = dialog.getByRole('button', { name: /^Disable/ })
  const proof = dialog.getByLabel('Type the label of this terminal')
  await proof.fill('صندوق')
  // It can be pressed, and does nothing.
  await send.click({ force: true })
  await expect(dialog).toBeVisible()
  await proof.fill('صندوق ١')
  await send.dblclick()
  await expect(await expectOutcome(page, 'Done')).toContainText('Stolen, reported by the merchant')
  await expect(page.getByRole('paragraph').filter({ hasText: 'The reader no longer takes cards' })).toBeVisible()
  await expect(disableButton(page)).toHaveCount(0)
  await expectAccessible(page)
  expect(await sandbox.arrived('POST', DISABLE.replace('{terminalId}', id))).toBe(1)
  await page.reload()
  await expect(outcome(page, 'Done')).toContainText(OPERATOR)
  await page.getByRole('link', { name: 'merchant-001', exact: true }).click()
  await expect(row(page, 'PAX-E2E-1')).toContainText('Disabled')
})

test('a reader without a label is disabled by typing its UID', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-003')
  await uid(page).fill('PAX-E2E-2')
  await registerButton(page).click()
  await expect(outcome(page, 'Done')).toBeVisible()
  await openTerminal(page, 'PAX-E2E-2')
  await page.getByLabel('Reason').fill('Lost')
  await disableButton(page).click()
  await page.getByLabel('Type the UID of this terminal: PAX-E2E-2').fill('PAX-E2E-2')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable terminal PAX-E2E-2' }).click()
  await expect(outcome(page, 'Done')).toBeVisible()
})

test('lost answers are settled by reading: the list for a registration, the terminal for a stop; each sent once', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-002')
  const before = await sandbox.arrived('POST', LIST)
  await sandbox.fault({ method: 'POST', path: LIST, effect: 'drop-after' })
  const letLook = await holdLooks(page)
  await uid(page).fill('PAX-E2E-3')
  await registerButton(page).click()
  await expect(await expectOutcome(page, 'Not known yet')).toContainText(
    'Checking whether the UID is in the merchant’s list',
  )
  await expect(registerButton(page)).toBeDisabled()
  await expect(page.getByText('The previous change is still being checked.')).toBeVisible()
  // Another reader is another change.
  await uid(page).fill('PAX-E2E-3B')
  await expect(registerButton(page)).toBeEnabled()
  letLook()
  await page.reload()
  await expect(outcome(page, 'Done')).toContainText('PAX-E2E-3')
  await expect(row(page, 'PAX-E2E-3')).toBeVisible()
  expect(await sandbox.arrived('POST', LIST)).toBe(before + 1)

  await openTerminal(page, 'PAX-E2E-3')
  const id = page.url().split('/').at(-1) ?? ''
  await page.getByLabel('Reason').fill('Lost')
  await disableButton(page).click()
  await sandbox.fault({ method: 'POST', path: DISABLE, effect: 'drop-after' })
  const letLookAgain = await holdLooks(page)
  await page.getByLabel(/^Type the UID/).fill('PAX-E2E-3')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Disable/ })
    .click()
  await expect(await expectOutcome(page, 'Not known yet')).toContainText(
    'Take the reader out of use until this is known.',
  )
  await expect(disableButton(page)).toBeDisabled()
  letLookAgain()
  await expect(outcome(page, 'Done')).toContainText('Disabled')
  expect(await sandbox.arrived('POST', DISABLE.replace('{terminalId}', id))).toBe(1)
})

test('an answer that cannot be read is confirmed by the list', { tag: '@long' }, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-002')
  await sandbox.fault({ method: 'POST', path: LIST, effect: 'garble' })
  await uid(page).fill('PAX-E2E-4')
  await registerButton(page).click()
  await expect(outcome(page, 'Done')).toContainText('PAX-E2E-4')
  await expect(row(page, 'PAX-E2E-4')).toContainText('Active')
})

test('a terminal that somebody else disables meanwhile is not sent, and both versions are shown', {
  tag: '@long',
}, async ({ browser, page, programs, sandbox }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-001')
  await openTerminal(page, 'PAX-A920-0002')
  const path = new URL(page.url()).pathname
  const disable = DISABLE.replace('{terminalId}', path.split('/').at(-1) ?? '')
  const before = await sandbox.arrived('POST', disable)
  const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
  const other = await elsewhere.newPage()
  await signIn(other, 'admin@example.com', path)
  for (const one of [page, other]) {
    await one.getByLabel('Reason').fill('Retired')
    await disableButton(one).click()
    await one.getByLabel(/^Type the label/).fill('counter-2')
  }
  for (const [one, title] of [
    [other, 'Done'],
    [page, 'Changed since you checked'],
  ] as const) {
    await one
      .getByRole('dialog')
      .getByRole('button', { name: /^Disable/ })
      .click()
    await expectOutcome(one, title)
  }
  await elsewhere.close()
  await expect(outcome(page, 'Changed since you checked')).toContainText('Disabled')
  expect(await sandbox.arrived('POST', disable)).toBe(before + 1)
})

test('merchants that a person looked at are a click away, the latest first, and theirs alone', {
  tag: '@long',
}, async ({ page, sandbox: _reset }) => {
  await signIn(page, 'admin@example.com')
  // Each page is read whole before the next one: a look-up that is left before it is answered may be none.
  for (const merchant of ['merchant-001', 'merchant-002', 'nobody', 'merchant-003'])
    await page.goto(`/terminals?merchant=${merchant}`)
  await expect(row(page, 'PAX-A920-0009')).toBeVisible()
  await page.goto('/terminals')
  const recent = page.getByRole('navigation', { name: 'Recent merchants' }).getByRole('link')
  await expect(recent).toHaveText(['merchant-003', 'merchant-002', 'merchant-001'])
  await recent.nth(1).click()
  await expect(row(page, 'PAX-A920-0006')).toBeVisible()
  await expect(recent).toHaveText(['merchant-003', 'merchant-001'])
  await page.goto('/terminals?sort=-uid&merchant=merchant-001')
  await expect(page.getByRole('row').nth(1)).toContainText('counter-5')
})
