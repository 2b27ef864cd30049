import type { Page } from '@playwright/test'
import { expect, expectAccessible } from './support/fixtures.ts'
import { test } from './support/own-policy.ts'
import { ADMIN, OPERATOR_ID, type SandboxControls } from './support/sandbox-controls.ts'
import { panel as factor, showKey } from './support/two-factor-tasks.ts'
import { addPasskey, passkeysPanel as panel, virtualPasskey } from './support/virtual-passkey.ts'

const OPERATOR = 'operator@example.com'
const ADMIN_MAIL = 'admin@example.com'

/** Of amounts that no other test confirms. */
const POLICY = JSON.stringify({
  rules: [
    { kind: 'deposit.confirm', when: { amountAtLeast: '12000.00' }, passkey: true },
    { kind: 'deposit.confirm', when: { amountAtLeast: '13000.00' }, approval: { by: 1, passkey: true } },
  ],
})

/** Who has no authenticator sets one up first, as the console tells them. */
async function enrol(page: Page): Promise<void> {
  await page.goto('/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Too early')
  await panel(page).getByLabel('Code').fill('123456')
  await panel(page).getByRole('button', { name: 'Add the passkey' }).click()
  await expect(panel(page)).toContainText('Set up two-factor security first')
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  const phone = await showKey(page)
  await factor(page).getByLabel('Code').fill(phone.code())
  await expect(factor(page)).toContainText('On since')
}

async function fillDeposit(page: Page, reference: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await page.getByLabel('Amount on the statement').fill(amount)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
}

const announce = (sandbox: SandboxControls, amount: string) => sandbox.announceDeposit('ana@example.com', amount)

test('a passkey is added after a code, and confirms that its person is there for one change', { tag: '@long' }, async ({
  under,
  sandbox,
}) => {
  const page = await (await under(POLICY)).pageOf(ADMIN_MAIL)
  const passkey = await virtualPasskey(page)
  const reference = await announce(sandbox, '12100')
  await fillDeposit(page, reference, '12100')
  await expect(
    page.getByText('Confirming a deposit needs your passkey if the amount is 12,000.00 BZD or more.'),
  ).toBeVisible()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You confirm this with your passkey.')
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect(page.getByRole('dialog', { name: 'This needs a passkey' })).toContainText('Nothing has changed')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Work laptop')
  await panel(page).getByLabel('Code').fill('000000')
  await panel(page).getByRole('button', { name: 'Add the passkey' }).click()
  await expect(panel(page)).toContainText('The code was rejected')
  await expect(page.getByLabel('Name of the passkey')).toHaveValue('Work laptop')
  await expectAccessible(page)
  await panel(page)
    .getByLabel('Code')
    .fill(await sandbox.code(ADMIN))
  await panel(page).getByRole('button', { name: 'Add the passkey' }).click()
  await expect(panel(page)).toContainText('The passkey “Work laptop” was added.')
  await expect(panel(page)).toContainText('Not used yet')

  await fillDeposit(page, reference, '12100')
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).click()
  const prompt = page.getByRole('dialog', { name: 'Your passkey is needed' })
  await expect(prompt).toBeVisible()
  await expectAccessible(page)
  await passkey.verifies(false)
  await prompt.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(prompt).toContainText('The passkey was not used')
  await expect(sandbox.stateOf(reference)).resolves.toBe('QUEUED')
  await passkey.verifies(true)
  await prompt.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await expect(sandbox.stateOf(reference)).resolves.toBe('PROCESSING')
  await page.goto('/activity')
  await page.getByRole('link', { name: 'Confirm deposit of 12,100.00 BZD' }).first().click()
  await expect(page.getByText('Confirmed with the passkey Work laptop')).toBeVisible()
  await page.goto('/security')
  await expect(panel(page)).toContainText('Last used')
})

test('who approves is there with a passkey as well, and another passkey removes one', { tag: '@long' }, async ({
  under,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409 .*passkeys\/challenge/)
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf(OPERATOR), await pageOf(ADMIN_MAIL)]
  const old = await virtualPasskey(approver)
  await addPasskey(approver, 'Old phone', await sandbox.code(ADMIN))
  await virtualPasskey(maker)
  await enrol(maker)
  await addPasskey(maker, 'Laptop', await sandbox.code(OPERATOR_ID))
  const reference = await announce(sandbox, '13100')
  await fillDeposit(maker, reference, '13100')
  const dialog = maker.getByRole('dialog')
  await dialog.getByLabel('Reason for approval').fill('On the statement of today')
  await dialog.getByRole('button', { name: /^Ask for approval of/ }).click()
  await expect(maker.getByRole('heading', { name: 'Waiting for approval', level: 2 })).toBeVisible()

  await approver.goto('/')
  await approver.getByRole('link', { name: 'Confirm deposit of 13,100.00 BZD' }).first().click()
  await approver.getByRole('button', { name: 'Approve with your passkey' }).click()
  await expect(maker.getByText('Approved, not sent yet. Send it now.')).toBeVisible()
  await maker.getByRole('button', { name: 'Send it' }).click()
  await dialog.getByRole('button', { name: 'Confirm deposit of 13,100.00 BZD' }).click()
  await maker.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(maker.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()

  // The old one is no more at hand; a new one is added, and removes it.
  await old.remove()
  await virtualPasskey(approver)
  await addPasskey(approver, 'New phone', await sandbox.code(ADMIN))
  await approver.getByRole('button', { name: 'Remove the passkey Old phone with another one' }).click()
  const removing = approver.getByRole('dialog', { name: 'Remove the passkey “Old phone”' })
  await removing.getByRole('button', { name: /^Remove/ }).click()
  await approver.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(approver.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await expect(panel(approver)).not.toContainText('Old phone')
  await expect(panel(approver)).toContainText('New phone')
})
