import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/own-policy.ts'
import { picture, pictureAtDoubleSize } from '../support/picture.ts'
import { ADMIN } from '../support/sandbox-controls.ts'
import { disableButton, openMerchant, openTerminal } from '../support/terminal-tasks.ts'
import { addPasskey, virtualPasskey } from '../support/virtual-passkey.ts'

const OPERATOR = 'operator@example.com'
const ADMIN_MAIL = 'admin@example.com'

const policyOf = (...others: readonly object[]): string =>
  JSON.stringify({
    rules: [
      { kind: 'deposit.confirm', when: { amountAtLeast: '6000.00' }, approval: { by: 1 } },
      ...others,
      { kind: 'terminal.disable', passkey: true },
      { kind: 'card.block', passkey: true, approval: { by: 2, scope: 'core:cards:manage', passkey: true } },
    ],
  })

const POLICY = policyOf({
  kind: 'deposit.confirm',
  when: { amountAtLeast: '250.00' },
  limit: { sum: '9000.00', count: 20 },
})

/** Over a limit, no approval can be asked for, and deposits of an earlier test count. */
const WITHOUT_LIMIT = policyOf()

async function fillDeposit(page: Page, reference: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await page.getByLabel('Amount on the statement').fill(amount)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
}

async function askFor(page: Page, reference: string, amount: string): Promise<void> {
  await fillDeposit(page, reference, amount)
  await page.getByRole('dialog').getByLabel('Reason for approval').fill('On the statement of today, checked twice')
}

const asksIn = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^Ask for approval of/ })

test('a change that a second person approves, from both sides', async ({ under, sandbox }) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN_MAIL)]
  const reference = await sandbox.announceDeposit('ana@example.com', '6250', 'Top-up')
  await askFor(maker, reference, '6250')
  await picture(maker, 'approvals/dialog')
  await pictureAtDoubleSize(maker, 'approvals/dialog')
  await asksIn(maker).click()
  await expect(maker.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()
  await picture(maker, 'approvals/waits-for-its-author')
  await maker.goto('/')
  await picture(maker, 'approvals/home-of-its-author')
  await approver.goto('/')
  await picture(approver, 'approvals/home-of-the-approver')
  await approver
    .locator('section', { has: approver.getByRole('heading', { name: 'Work' }) })
    .getByRole('link', { name: 'Confirm deposit of 6,250.00 BZD' })
    .click()
  await expect(approver.getByText('unchanged')).toBeVisible()
  await picture(approver, 'approvals/to-decide')
  await pictureAtDoubleSize(approver, 'approvals/to-decide')
  await approver.getByRole('button', { name: 'Approve' }).click()
  await expect(approver.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await picture(approver, 'approvals/approved')
  await maker.getByRole('link', { name: 'Confirm deposit of 6,250.00 BZD' }).first().click()
  await expect(maker.getByRole('button', { name: 'Send it' })).toBeVisible()
  await picture(maker, 'approvals/to-send')
  await maker.getByRole('button', { name: 'Send it' }).click()
  await picture(maker, 'approvals/to-send-dialog')
  await maker.getByRole('dialog').getByRole('button', { name: 'Confirm deposit of 6,250.00 BZD' }).click()
  await expect(maker.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await picture(maker, 'approvals/sent')

  const moved = await sandbox.announceDeposit('ben@example.com', '6400')
  await fillDeposit(maker, moved, '6400')
  await expect(maker.getByRole('dialog')).toContainText('Over your limit')
  await picture(maker, 'approvals/beyond-a-limit')
})

test('facts that have changed, and a change that was declined', async ({ under, sandbox }) => {
  const { pageOf } = await under(WITHOUT_LIMIT)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN_MAIL)]
  const moved = await sandbox.announceDeposit('ben@example.com', '6400')
  await askFor(maker, moved, '6400')
  await asksIn(maker).click()
  await expect(maker.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()
  await sandbox.confirmElsewhere(moved)
  await approver.goto('/')
  await approver.getByRole('link', { name: 'Confirm deposit of 6,400.00 BZD' }).first().click()
  await expect(approver.getByText('Nothing was sent. Check it again before you continue.')).toBeVisible()
  await picture(approver, 'approvals/changed-since')

  const declined = await sandbox.announceDeposit('ben@example.com', '6500')
  await askFor(maker, declined, '6500')
  await asksIn(maker).click()
  await expect(maker.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()
  await approver.goto('/')
  await approver.getByRole('link', { name: 'Confirm deposit of 6,500.00 BZD' }).first().click()
  await approver.getByLabel('Reason').fill('The bank has booked another amount')
  await approver.getByRole('button', { name: 'Decline' }).click()
  await expect(approver.getByRole('button', { name: 'Decline' })).toHaveCount(0)
  await picture(approver, 'approvals/declined')
  await maker.goto('/')
  await picture(maker, 'approvals/home-after-it-was-declined')
})

test('a decision of a case, and a message after its approval', async ({ under, sandbox }) => {
  const rules = [{ kind: 'dispute.resolve', approval: { by: 1, reread: true } }]
  const { pageOf } = await under(JSON.stringify({ rules }))
  const [maker, approver] = [await pageOf('arbitrator@example.com'), await pageOf(ADMIN_MAIL)]
  const caseId = await sandbox.raiseCase()
  await maker.goto(`/disputes/${caseId}`)
  await maker.getByText('Refund the sender', { exact: true }).click()
  await maker.getByLabel('Reason, shown to both sides').fill('The parcel never left the depot.')
  await maker.getByLabel('Reason, shown to both sides').press('Control+Enter')
  await maker.getByRole('dialog').getByLabel('Reason for approval').fill('The carrier says so')
  await picture(maker, 'approvals/case-dialog')
  await asksIn(maker).click()
  await expect(maker.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()
  await picture(maker, 'approvals/case-waits')
  await approver.goto(`/disputes/${caseId}`)
  await picture(approver, 'approvals/case-of-the-approver')
  await approver.goto('/approvals')
  await picture(approver, 'approvals/list-waiting')
  await approver
    .getByRole('link', { name: /^Refund/ })
    .first()
    .click()
  await expect(approver.getByRole('heading', { name: 'Your decision' })).toBeVisible()
  await picture(approver, 'approvals/case-to-decide')
  await approver.getByRole('button', { name: 'Approve' }).click()
  await expect(approver.getByText('1 of 1').first()).toBeVisible()
  await sandbox.postMessage(caseId, 'ana@example.com', 'The parcel came this morning, sorry.')
  await maker.reload()
  await expect(maker.getByText('An approver must read the updates before it can be sent.')).toBeVisible()
  await picture(maker, 'approvals/case-to-be-read')
  await approver.goto('/')
  await picture(approver, 'approvals/home-to-read')
  await approver.goto('/approvals')
  await picture(approver, 'approvals/list-to-read')
  await approver
    .getByRole('link', { name: /^Refund/ })
    .first()
    .click()
  await expect(approver.getByRole('heading', { name: 'Read the updates' })).toBeVisible()
  await picture(approver, 'approvals/to-read')
  await approver.getByRole('button', { name: 'I have read the updates' }).click()
  await expect(approver.getByRole('heading', { name: 'Read the updates' })).toHaveCount(0)
  await picture(approver, 'approvals/read')
  await maker.getByRole('button', { name: 'I have read this, continue' }).click()
  await picture(maker, 'approvals/case-to-send-dialog')
})

test('the policy, and passkeys', async ({ under, sandbox }) => {
  const page = await (await under(POLICY)).pageOf(ADMIN_MAIL)
  await virtualPasskey(page)
  await page.goto('/security/policy')
  await picture(page, 'security/policy')
  await page.goto('/security')
  await picture(page, 'security/no-passkey')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await picture(page, 'security/adds-a-passkey')
  await addPasskey(page, 'Work laptop', await sandbox.code(ADMIN))
  await picture(page, 'security/passkeys')
  await page.getByRole('button', { name: 'Ask to have the passkey Work laptop removed' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'security/asks-to-remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await openMerchant(page, 'merchant-001')
  await openTerminal(page, 'PAX-A920-0001')
  await page.getByLabel('Reason').fill('Stolen, reported by the merchant')
  await disableButton(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You confirm this with your passkey.')
  await picture(page, 'terminals/disable-takes-a-passkey')
  await dialog.getByLabel('Type the label of this terminal').fill('counter-1')
  await dialog.getByRole('button', { name: /^Disable/ }).click()
  await expect(page.getByRole('dialog', { name: 'Your passkey is needed' })).toBeVisible()
  await picture(page, 'terminals/asks-for-the-passkey')
})
