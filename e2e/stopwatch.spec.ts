import type { Page } from '@playwright/test'
import { cardNumber, shownDigits } from './support/card-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import {
  begin,
  button,
  confirmByKey,
  confirmForm,
  goTo,
  INPUT_DEVICES,
  type InputDevice,
  inDialog,
  paste,
} from './support/hands.ts'
import { pressIn, tabTo } from './support/keyboard.ts'
import { outcome } from './support/outcome.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { camtFile, importButton } from './support/statement-tasks.ts'
import { expectDocumented, startStopwatch } from './support/stopwatch.ts'

const OPERATOR = 'operator@example.com'

const amountField = (page: Page) => page.getByLabel('Amount on the statement')

/** From the focus in the field for the reference. */
async function confirmByKeys(page: Page, reference: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Reference', exact: true })).toBeFocused()
  await paste(page, reference)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Bank’s reference')).toBeFocused()
  await paste(page, `K-${reference}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('250')
  await page.keyboard.press('Enter')
  await confirmByKey(page, /^Confirm deposit/)
  await expect(outcome(page, 'Done')).toBeVisible()
}

async function confirmByMouse(page: Page, reference: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Reference', exact: true })).toBeFocused()
  await paste(page, reference)
  await button(page, 'Look up').click()
  await expect(page.getByLabel('Bank’s reference')).toBeFocused()
  await paste(page, `M-${reference}`)
  await amountField(page).click()
  await page.keyboard.type('250')
  await button(page, /^Confirm deposit/).click()
  await inDialog(page, /^Confirm deposit/).click()
  await expect(outcome(page, 'Done')).toBeVisible()
}

test('confirming a deposit, and the next one, takes what the table says', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR, '/deposits')
  const count = await startStopwatch(page)
  for (const way of INPUT_DEVICES) {
    const confirm = way === 'keys' ? confirmByKeys : confirmByMouse
    const [first, second] = [
      await sandbox.announceDeposit('ana@example.com', '250'),
      await sandbox.announceDeposit('ana@example.com', '250'),
    ]
    await begin(page, '/deposits')
    expectDocumented('Confirm a deposit', way, await count(() => confirm(page, first)))
    const next = page.getByRole('link', { name: /^Next deposit/ })
    await expect(next).toBeVisible()
    const took = await count(async () => {
      if (way === 'keys') await page.keyboard.press('n')
      else await next.click()
      await confirm(page, second)
    })
    expectDocumented('Confirm the next deposit', way, took)
  }
})

test('finding a user and exporting Activity take what the table says', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '250')
  await signIn(page, OPERATOR, '/deposits')
  await confirmByMouse(page, reference)
  const count = await startStopwatch(page)
  for (const way of INPUT_DEVICES) {
    await begin(page, '/')
    const found = await count(async () => {
      await goTo(page, ANA, ANA, way)
      await expect(page.getByRole('table', { name: 'Transactions of this user' })).toBeVisible()
    })
    expectDocumented('Find a user by a pasted id', way, found)
    await begin(page, '/')
    const exported = await count(async () => {
      const file = page.waitForEvent('download')
      if (way === 'keys') {
        await page.keyboard.press('g')
        await page.keyboard.press('a')
        await expect(button(page, 'Export CSV')).toBeEnabled()
        await page.keyboard.press('e')
      } else {
        await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Activity' }).click()
        await button(page, 'Export CSV').click()
      }
      await file
    })
    expectDocumented('Export Activity', way, exported)
  }
})

test('issuing a card and blocking one take what the table says', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, OPERATOR, '/')
  const count = await startStopwatch(page)
  for (const way of INPUT_DEVICES) {
    await begin(page, '/')
    let card = { id: '', last4: '' }
    const issued = await count(async () => {
      card = await issue(page, way)
    })
    expectDocumented('Issue a card', way, issued)
    await begin(page, '/')
    const blocked = await count(async () => {
      await goTo(page, card.id, card.id, way)
      await expect(page.getByLabel('Last four digits')).toBeFocused()
      await page.keyboard.type(card.last4)
      if (way === 'keys') await page.keyboard.press('Tab')
      else await page.getByLabel('Reason').click()
      await page.keyboard.type('Stolen')
      await confirmForm(page, /^Block/, way)
      await expect(outcome(page, 'Done')).toBeVisible()
    })
    expectDocumented('Block a card', way, blocked)
  }
})

/** From Home to the number handed over. */
async function issue(page: Page, way: InputDevice): Promise<{ id: string; last4: string }> {
  await goTo(page, 'issue', 'Issue a card', way)
  await expect(page.getByLabel('Holder’s user id')).toBeFocused()
  await paste(page, ANA)
  const next = async (label: string) => {
    if (way === 'keys') await page.keyboard.press('Tab')
    else await page.getByLabel(label).click()
  }
  await next('Card type')
  await page.keyboard.type('1')
  await next('Printed name')
  await page.keyboard.type('Ana Alvarez')
  await confirmForm(page, /^Issue a card/, way)
  await expect(cardNumber(page)).toBeVisible()
  const last4 = (await shownDigits(page)).slice(-4)
  const handed = button(page, 'I have handed it over')
  if (way === 'keys') await pressIn(page, handed, 'Enter')
  else await handed.click()
  await expect(page.getByText('Handed over.')).toBeVisible()
  const link = page.getByRole('link', { name: 'Open the card' })
  return { id: (await link.getAttribute('href'))?.split('/').at(-1) ?? '', last4 }
}

test('disabling a terminal takes what the table says', { tag: '@long' }, async ({ page, sandbox: _reset }) => {
  await signIn(page, OPERATOR, '/terminals?merchant=merchant-001')
  const count = await startStopwatch(page)
  for (const [way, uid, label] of [
    ['mouse', 'PAX-A920-0001', 'counter-1'],
    ['keys', 'PAX-A920-0002', 'counter-2'],
  ] as const) {
    await begin(page, '/terminals?merchant=merchant-001')
    await expect(page.getByRole('table').getByRole('button', { name: 'copy the time' }).first()).toBeVisible()
    const took = await count(async () => {
      const opener = page.getByRole('row').filter({ hasText: uid }).getByRole('link').first()
      if (way === 'keys') {
        await page.keyboard.press('j')
        if (uid.endsWith('2')) await page.keyboard.press('j')
        await expect(opener).toBeFocused()
        await page.keyboard.press('Enter')
      } else await opener.click()
      await expect(page.getByLabel('Reason')).toBeFocused()
      await page.keyboard.type('Lost')
      if (way === 'keys') await page.keyboard.press('Enter')
      else await button(page, /^Disable/).click()
      const proof = page.getByRole('dialog').getByLabel(/^Type the label/)
      if (way === 'keys') await tabTo(page, proof)
      else await proof.click()
      await page.keyboard.type(label)
      if (way === 'keys') await confirmByKey(page, /^Disable/)
      else await inDialog(page, /^Disable/).click()
      await expect(outcome(page, 'Done')).toBeVisible()
    })
    expectDocumented('Disable a terminal', way, took)
  }
})

test('importing a statement and confirming its ready lines take what the table says', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR, '/')
  const count = await startStopwatch(page)
  for (const way of INPUT_DEVICES) {
    const reference = await sandbox.announceDeposit('ana@example.com', '71')
    await begin(page, '/')
    const took = await count(async () => {
      const chooser = page.waitForEvent('filechooser')
      const choose = page.getByLabel('Choose a statement')
      if (way === 'keys') {
        await page.keyboard.press('g')
        await page.keyboard.press('i')
        await expect(choose).toBeEnabled()
        await pressIn(page, choose, 'Enter')
      } else {
        await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Deposits' }).click()
        await page.getByRole('link', { name: 'Import statement' }).click()
        await expect(choose).toBeEnabled()
        await page.getByText('Choose a statement', { exact: true }).click()
      }
      await (await chooser).setFiles(camtFile([{ reference, amount: '71.00' }]))
      await expect(importButton(page)).toBeFocused()
      if (way === 'keys') await page.keyboard.press('Enter')
      else await importButton(page).click()
      const ready = button(page, 'Confirm 1 ready deposit')
      await expect(ready).toBeEnabled()
      if (way === 'keys') {
        await pressIn(page, ready, 'Enter')
        await confirmByKey(page, /^Confirm 1 deposit$/)
      } else {
        await ready.click()
        await inDialog(page, /^Confirm 1 deposit$/).click()
      }
      await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('Done')
    })
    expectDocumented('Import a statement and confirm its ready lines', way, took)
  }
})
