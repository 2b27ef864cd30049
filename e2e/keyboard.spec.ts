import { cardNumber } from './support/card-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { area, confirmInDialog, press, pressIn, tabTo, typeInto } from './support/keyboard.ts'
import { outcome } from './support/outcome.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { importButton } from './support/statement-tasks.ts'
import { registerButton, row, uid } from './support/terminal-tasks.ts'

const OPERATOR = 'operator@example.com'

test('by keyboard alone an operator confirms a deposit', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '70')
  await signIn(page, OPERATOR, '/')
  await pressIn(page, area(page, 'Deposits'), 'Enter')
  await typeInto(page, page.getByLabel('Reference', { exact: true }), reference)
  await page.keyboard.press('Enter')
  await typeInto(page, page.getByLabel('Bank’s reference'), 'ATL-K1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('70')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  // The focus is on no button, so an Enter that is still held down confirms nothing.
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Amount on the statement')).toBeFocused()
  await page.keyboard.down('Enter')
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).focus()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Shift+Tab')
  await confirmInDialog(page, /^Confirm deposit/)
  await expect(outcome(page, 'Done')).toBeVisible()
})

test('by keyboard alone an operator issues a card', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, '/')
  await pressIn(page, area(page, 'Cards'), 'Enter')
  await pressIn(page, page.getByRole('link', { name: 'Issue a card', exact: true }), 'Enter')
  await typeInto(page, page.getByLabel('Holder’s user id'), ANA)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ana Alvarez')
  await expect(page.getByRole('button', { name: /^Issue a card/ })).toBeEnabled()
  await page.keyboard.press('Enter')
  await confirmInDialog(page, /^Issue a card/)
  await expect(cardNumber(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Handed over.')).toBeVisible()
})

test('by keyboard alone an operator blocks a card', { tag: '@long' }, async ({ page, sandbox }) => {
  const { id, last4 } = await sandbox.issueElsewhere(ANA)
  await signIn(page, OPERATOR, '/')
  await pressIn(page, area(page, 'Cards'), 'Enter')
  await typeInto(page, page.getByLabel('Search cards'), id)
  await page.keyboard.press('Enter')
  await typeInto(page, page.getByLabel('Last four digits'), last4)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Stolen, reported by the holder')
  await page.keyboard.press('Enter')
  await confirmInDialog(page, /^Block card/)
  await expect(outcome(page, 'Done')).toContainText('Stolen, reported by the holder')
  const held = (await sandbox.cardsOf('ana@example.com')).find((card) => card.id === id)
  expect(held?.status).toBe('BLOCKED')
})

test('by keyboard alone an operator registers a terminal and disables it', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, OPERATOR, '/')
  await pressIn(page, area(page, 'Terminals'), 'Enter')
  await typeInto(page, page.getByRole('textbox', { name: 'Merchant' }), 'merchant-002')
  await page.keyboard.press('Enter')
  await typeInto(page, uid(page), 'PAX-KEYS-1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('till by the door')
  await expect(registerButton(page)).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(outcome(page, 'Done')).toContainText('PAX-KEYS-1')

  // Into the table by Tab, down its rows by j, and in.
  const opener = row(page, 'PAX-KEYS-1').getByRole('link').first()
  await tabTo(page, page.getByRole('table').getByRole('link').first())
  await press(page, 'j', opener)
  await page.keyboard.press('Enter')
  await typeInto(page, page.getByLabel('Reason'), 'Lost at the fair')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Disable terminal till by the door' })
  await typeInto(page, dialog.getByLabel('Type the label of this terminal'), 'till by the door')
  await confirmInDialog(page, /^Disable/)
  await expect(outcome(page, 'Done')).toContainText('Lost at the fair')
})

test('six Tabs at most lead to the message of a case, and one more to its button', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com', `/disputes/${caseId}`)
  const message = page.getByLabel('Message to both sides')
  await message.fill('x')
  await expect(page.getByRole('button', { name: /^Send(?!er)/ })).toBeEnabled()
  // From the top, with the text that is kept.
  await page.reload()
  await expect(page.getByRole('button', { name: /^Send(?!er)/ })).toBeEnabled()
  for (const key of ['Tab', 'Enter', 'Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
  await expect(message).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^Send(?!er)/ })).toBeFocused()
})

test('by keyboard alone an operator takes a statement in and confirms its ready line', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '71')
  // The browser is told to leave its chooser to the test; that takes a moment, and a key pressed before it is lost.
  const chooser = page.waitForEvent('filechooser')
  await signIn(page, OPERATOR, '/')
  await pressIn(page, area(page, 'Deposits'), 'Enter')
  await pressIn(page, page.getByRole('link', { name: 'Import statement' }), 'Enter')
  await tabTo(page, page.getByLabel('Choose a statement'))
  await page.keyboard.press('Enter')
  const csv = `Verwendung;Summe;Nummer\n${reference};71,00;KEYS-${process.pid}\n`
  await (await chooser).setFiles({ name: 'Keys.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

  const columns = { Reference: 'Verwendung', Amount: 'Summe', 'Bank’s reference': 'Nummer' }
  for (const [field, column] of Object.entries(columns)) {
    const choice = page.getByRole('combobox', { name: field, exact: true })
    await tabTo(page, choice)
    await page.keyboard.type(column)
    await expect(choice).toHaveText(column)
  }
  await expect(page.getByText('A comma, as in “71,00” on line 2.')).toBeVisible()
  await pressIn(page, page.getByRole('button', { name: 'Read the amounts' }), 'Enter')
  await expect(importButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await pressIn(page, page.getByRole('button', { name: 'Confirm 1 ready deposit' }), 'Enter')
  await confirmInDialog(page, /^Confirm 1 deposit$/)
  await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('Done')
})
