import type { Page } from '@playwright/test'
import { change } from '../support/case-workspace.ts'
import { confirmDeposit } from '../support/deposit-tasks.ts'
import { expect, test } from '../support/fixtures.ts'
import { historyTable } from '../support/history.ts'
import { picture, pictureAtDoubleSize } from '../support/picture.ts'
import { ANA } from '../support/sandbox-controls.ts'
import { signIn } from '../support/sign-in.ts'
import { takeStatement } from '../support/statement-tasks.ts'
import { expectAlive } from '../support/stopwatch.ts'
import { composer, openCase } from '../support/workbench.ts'

const OPERATOR = 'operator@example.com'

async function openOmnibox(page: Page): Promise<void> {
  await expectAlive(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Go to, or look up' })).toBeFocused()
}

test('the omnibox, the list of keys and the menus', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '250', 'Top-up')
  await signIn(page, OPERATOR, '/')
  await openOmnibox(page)
  await picture(page, 'omnibox/nothing-typed')
  await page.keyboard.insertText(reference)
  await expect(page.getByRole('option', { name: reference })).toBeVisible()
  await picture(page, 'omnibox/found')
  await pictureAtDoubleSize(page, 'omnibox/found')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('nothing-of-that-name')
  await expect(page.getByText(/^Not found, or not visible to you/)).toBeVisible()
  await picture(page, 'omnibox/not-found')
  await page.keyboard.press('Escape')
  await page.goto(`/transactions/${encodeURIComponent(reference)}`)
  await page.goto(`/users/${ANA}`)
  await expect(historyTable(page)).toBeVisible()
  await openOmnibox(page)
  await expect(page.getByRole('option', { name: reference })).toBeVisible()
  await picture(page, 'omnibox/recent')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await picture(page, 'frame/keys')
  await pictureAtDoubleSize(page, 'frame/keys')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Saved views' })).toBeVisible()
  await picture(page, 'frame/saved-views')
  await page.goto('/transactions')
  await picture(page, 'transactions/recent')
})

test('Activity with changes of many kinds', async ({ page, sandbox }) => {
  const [reference, refused, other] = [
    await sandbox.announceDeposit('ana@example.com', '250', 'Top-up'),
    await sandbox.announceDeposit('ben@example.com', '80'),
    await sandbox.announceDeposit('cleo@example.com', '40'),
  ]
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'admin@example.com', '/activity')
  await picture(page, 'activity/nothing')
  await confirmDeposit(page, reference, '250')
  await takeStatement(page, [{ reference: other, amount: '40.00' }])
  await change(page, 'card.issue', { userId: ANA, cardType: '1', printedName: 'Ana Alvarez' })
  await change(page, 'terminal.register', { merchantId: 'merchant-001', terminalUid: 'PAX-NEW-1', label: 'till' })
  await change(page, 'case.assign', { caseId })
  await change(page, 'case.note', { caseId, text: 'The courier confirms.' })
  await sandbox.fault({
    method: 'POST',
    path: '/api/v1/Transaction/deposit/confirm',
    effect: { status: 422, code: 'core::transactions::refused', title: 'Refused by the bank' },
  })
  await change(page, 'deposit.confirm', { referenceId: refused, bankReference: 'ATL-9', statementAmount: '80' })
  await page.goto('/activity')
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText('80.00')
  await picture(page, 'activity/many')
  await pictureAtDoubleSize(page, 'activity/many')
  await page
    .getByRole('table', { name: 'Activity' })
    .getByRole('link', { name: 'Confirm deposit of 250.00 BZD' })
    .click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await picture(page, 'activity/one-opened')
  await page.goto('/activity?kind=card.block')
  await picture(page, 'activity/nothing-fits')
  await page.goto('/')
  await picture(page, 'home/many-done')
})

test('snippets', async ({ page, sandbox }) => {
  await signIn(page, 'arbitrator@example.com', '/disputes/snippets')
  await picture(page, 'snippets/none')
  for (const [name, text] of [
    ['Ask for the day', 'Case {case}: which day was it, {day}?'],
    ['Ask for a receipt', 'Please post the receipt, or a photo of it.'],
  ]) {
    await change(page, 'snippet.save', { id: crypto.randomUUID(), name, text, changedAt: '' })
  }
  await page.reload()
  await expect(page.getByRole('article', { name: 'Ask for the day' })).toBeVisible()
  await picture(page, 'snippets/some')
  await openCase(page, await sandbox.raiseCase())
  await composer(page).focus()
  await page.keyboard.type('/ask')
  await expect(page.getByRole('option', { name: /Ask for the day/ })).toBeVisible()
  await picture(page, 'case/snippet-menu')
  await composer(page).fill('')
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(page.getByText('Assignee: you', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await picture(page, 'case/more')
})
