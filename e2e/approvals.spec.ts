import type { Page } from '@playwright/test'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, expectAccessible } from './support/fixtures.ts'
import { test } from './support/own-policy.ts'
import { openMerchant, registerButton, uid } from './support/terminal-tasks.ts'

const OPERATOR = 'operator@example.com'
const ADMIN = 'admin@example.com'

/** Of amounts that no other test confirms. */
const POLICY = JSON.stringify({
  rules: [
    { kind: 'deposit.confirm', when: { amountAtLeast: '6000.00' }, approval: { by: 1 } },
    { kind: 'terminal.register', approval: { by: 1 } },
  ],
})

/** Opens the dialog of a deposit's confirmation. */
async function fillDeposit(page: Page, reference: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await page.getByLabel('Amount on the statement').fill(amount)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
}

/** Asks for the approval of a deposit; the page shows that it waits. */
async function ask(page: Page, reference: string, amount: string): Promise<void> {
  await fillDeposit(page, reference, amount)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason for approval').fill('On the statement of today')
  await dialog.getByRole('button', { name: /^Ask for approval of/ }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()
}

/** As the address of the change that waits for the person: from Home. */
async function openFromHome(page: Page, title: string): Promise<void> {
  await page.goto('/')
  await page
    .locator('section', { has: page.getByRole('heading', { name: 'Work' }) })
    .getByRole('link', { name: title })
    .click()
}

test('a deposit that needs a second person is asked for, approved by one and sent by the other', async ({
  under,
  sandbox,
}) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN)]
  const reference = await sandbox.announceDeposit('ana@example.com', '6250')
  await maker.goto('/deposits')
  await expect(
    maker.getByText('Confirming a deposit needs one approval if the amount is 6,000.00 BZD or more.'),
  ).toBeVisible()
  await fillDeposit(maker, reference, '6250')
  const dialog = maker.getByRole('dialog')
  await expect(dialog).toContainText('Confirming a deposit needs one approval if the amount is 6,000.00 BZD or more.')
  const asks = dialog.getByRole('button', { name: 'Ask for approval of 6,250.00 BZD' })
  await asks.click()
  await expect(dialog.getByText('Enter a reason. The approver sees it.')).toBeVisible()
  await expectAccessible(maker)
  await dialog.getByLabel('Reason for approval').fill('On the statement of today')
  await asks.click()
  await expect(maker.getByText('It can be sent once someone else approves it.')).toBeVisible()

  await approver.goto('/')
  await expect(approver.getByRole('link', { name: /Approvals.*1.*waiting/ }).first()).toBeVisible()
  await openFromHome(approver, 'Confirm deposit of 6,250.00 BZD')
  await expect(approver.getByText('On the statement of today').first()).toBeVisible()
  await expect(approver.getByText('unchanged')).toBeVisible()
  await expectAccessible(approver)
  await approver.getByRole('button', { name: 'Approve' }).click()

  // Its author is told without asking, and sends it.
  await expect(maker.getByText('Approved, not sent yet. Send it now.')).toBeVisible()
  await maker.getByRole('button', { name: 'Send it' }).click()
  await expect(dialog).toContainText(`Approved by ${ADMIN}.`)
  await expectAccessible(maker)
  await dialog.getByRole('button', { name: 'Confirm deposit of 6,250.00 BZD' }).click()
  await expect(maker.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await expect(approver.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await expect(approver.getByRole('button', { name: 'Approve' })).toHaveCount(0)
})

test('a terminal that needs a second person is asked for', { tag: '@long' }, async ({ under }) => {
  const maker = await (await under(POLICY)).pageOf(OPERATOR)
  await openMerchant(maker, 'merchant-001')
  await uid(maker).fill('PAX-APPROVED')
  await registerButton(maker).click()
  const dialog = maker.getByRole('dialog')
  await dialog.getByLabel('Reason for approval').fill('The merchant opens a second counter')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(maker.getByText('It can be sent once someone else approves it.')).toBeVisible()
  await maker.getByRole('button', { name: 'Cancel it' }).click()
  await expect(maker.getByRole('heading', { name: 'Cancelled by its author' })).toBeVisible()
})

test('one that is declined ends, with the reason for its author, and nothing is sent', { tag: '@long' }, async ({
  under,
  sandbox,
}) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN)]
  const reference = await sandbox.announceDeposit('ana@example.com', '6300')
  await ask(maker, reference, '6300')
  await openFromHome(approver, 'Confirm deposit of 6,300.00 BZD')
  await approver.getByRole('button', { name: 'Decline' }).click()
  await expect(approver.getByText('Enter a reason for declining.')).toBeVisible()
  await approver.getByLabel('Reason').fill('The bank has booked another amount')
  await approver.getByRole('button', { name: 'Decline' }).click()
  await expect(maker.getByText(`${ADMIN} declined it`)).toBeVisible()
  await expect(maker.getByText('The bank has booked another amount').first()).toBeVisible()
  await expect(sandbox.stateOf(reference)).resolves.toBe('QUEUED')
  await maker.getByRole('button', { name: 'Ask again' }).click()
  const dialog = maker.getByRole('dialog')
  await expect(dialog.getByLabel('Reason for approval')).toHaveValue('On the statement of today')
  await dialog.press('Escape')
  await expect(maker.getByText(`${ADMIN} declined it`)).toBeVisible()
  await maker.getByRole('button', { name: 'Ask again' }).click()
  await dialog.getByRole('button', { name: /^Ask for approval of/ }).click()
  await expect(maker.getByText('It can be sent once someone else approves it.')).toBeVisible()
  await openFromHome(approver, 'Confirm deposit of 6,300.00 BZD')
  const earlier = approver.locator('section', { has: approver.getByRole('heading', { name: 'Earlier requests' }) })
  await expect(earlier.getByText(/The bank has booked another amount/)).toBeVisible()
  await expectAccessible(approver)
  await approver.getByLabel('Reason').fill('Still another amount')
  await approver.getByRole('button', { name: 'Decline' }).click()
  await maker.goto('/')
  await expect(maker.getByText('ended, not sent')).toBeVisible()
})

test('its author cancels it, and what others see of it says so', { tag: '@long' }, async ({ under, sandbox }) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN)]
  const reference = await sandbox.announceDeposit('ana@example.com', '6400')
  await ask(maker, reference, '6400')
  await openFromHome(approver, 'Confirm deposit of 6,400.00 BZD')
  await expect(approver.getByRole('button', { name: 'Approve' })).toBeVisible()
  await maker.getByRole('button', { name: 'Cancel it' }).click()
  for (const page of [maker, approver]) {
    await expect(page.getByRole('heading', { name: 'Cancelled by its author' })).toBeVisible()
  }
  await expect(approver.getByRole('button', { name: 'Approve' })).toHaveCount(0)
})

test('what needs no approval is confirmed as ever', { tag: '@long' }, async ({ under, sandbox }) => {
  const page = await (await under(POLICY)).pageOf(OPERATOR)
  await confirmDeposit(page, await sandbox.announceDeposit('ana@example.com', '61'), '61')
})

test('two requests are decided one after the other by keyboard', { tag: '@long' }, async ({ under, sandbox }) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN)]
  for (const amount of ['6510', '6520']) {
    await ask(maker, await sandbox.announceDeposit('ana@example.com', amount), amount)
  }
  const rows = (page: Page, title: RegExp) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: title }) })
  const FIRST = /6,510\.00/
  const SECOND = /6,520\.00/

  await approver.goto('/')
  await expect(approver.getByRole('link', { name: /Approvals.*2.*waiting/ }).first()).toBeVisible()
  await approver.keyboard.press('g')
  await approver.keyboard.press('p')
  await expect(approver.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible()
  await expect(rows(approver, FIRST)).toContainText('On the statement of today')
  await expectAccessible(approver)
  await approver.keyboard.press('j')
  await approver.keyboard.press('j')
  await approver.keyboard.press('k')
  await expect(approver.getByRole('link', { name: FIRST })).toBeFocused()
  await approver.keyboard.press('a')

  const approve = approver.getByRole('button', { name: 'Approve' })
  await expect(approve).toBeFocused()
  await approver.keyboard.press('Enter')
  await expect(approver.getByRole('link', { name: /^Next: .*6,520\.00/ })).toBeVisible()
  await approver.keyboard.press('n')

  await expect(approver.getByRole('heading', { level: 1, name: SECOND })).toBeVisible()
  await expect(approve).toBeEnabled()
  await approver.keyboard.press('a')
  await expect(approve).toBeFocused()
  await approver.keyboard.press('d')
  await expect(approver.getByLabel('Reason')).toBeFocused()
  await approver.keyboard.type('Another amount was booked')
  await approver.keyboard.press('Enter')
  await expect(approver.getByRole('button', { name: 'Decline' })).toBeFocused()
  await approver.keyboard.press('Enter')
  await expect(approver.getByText('Nothing else waits for your decision.')).toBeVisible()
  await approver.keyboard.press('n')
  await expect(approver.getByText('Nothing waits for your decision')).toBeVisible()

  await approver.goto('/approvals?view=decided')
  await expect(rows(approver, FIRST)).toContainText('Approved, not sent')
  await expect(rows(approver, SECOND)).toContainText('Another amount was booked')
  const saved = approver.waitForEvent('download')
  await approver.keyboard.press('e')
  expect((await saved).suggestedFilename()).toMatch(/^approvals-decided-.*\.csv$/)

  // Its author sees both ends, on a phone as cards.
  await maker.setViewportSize({ width: 390, height: 844 })
  await maker.goto('/approvals?view=requested')
  await expect(rows(maker, FIRST)).toContainText('Approved, not sent')
  await expect(rows(maker, SECOND)).toContainText('Declined by admin@example.com')
  await expectAccessible(maker)
})

test('sends the frame of a request while the service is silent', { tag: '@long' }, async ({ under, sandbox }) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN)]
  await ask(maker, await sandbox.announceDeposit('ana@example.com', '6750'), '6750')
  await approver.goto('/approvals')
  const address = await approver
    .getByRole('link', { name: /6,750\.00/ })
    .first()
    .getAttribute('href')
  for (const path of ['Users/{id}/scopes', 'Transaction/{referenceId}']) {
    await sandbox.fault({ method: 'GET', path: `/api/v1/${path}`, times: 100, effect: 'hold' })
  }
  await approver.goto(address ?? '', { waitUntil: 'commit' })
  await expect(approver.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await expect(approver.getByRole('heading', { level: 1, name: /6,750\.00/ })).toBeVisible()
  await expect(approver.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await sandbox.clearFaults()
  await expect(approver.getByRole('button', { name: /^Approve/ })).toBeVisible()
})
