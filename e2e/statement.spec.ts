import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import {
  camtFile,
  confirmImport,
  give,
  importButton,
  importTable,
  line,
  mapColumns,
  statementOf,
  takeStatement,
} from './support/statement-tasks.ts'

const OPERATOR = 'operator@example.com'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** The row of a line has the focus somewhere. */
const expectFocusIn = (page: Page, number: number) => expect(line(page, number).locator(':focus')).toBeVisible()

const inList = (page: Page, word: string, count: number) =>
  expect(page.getByRole('link', { name: `${word} ${count}`, exact: true })).toBeVisible()

const runSummary = (page: Page) => page.getByRole('region', { name: 'Confirmation run' })

async function confirmReady(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Confirm \d+ ready/ }).click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

test('a table is mapped once, its lines are matched, and what is ready is confirmed', async ({ page, sandbox }) => {
  const [first, second, short, byHand] = [
    await sandbox.announceDeposit('ana@example.com', '250.5'),
    await sandbox.announceDeposit('ana@example.com', '40'),
    await sandbox.announceDeposit('ana@example.com', '100'),
    await sandbox.announceDeposit('ana@example.com', '7'),
  ]
  const inText = await sandbox.announceDeposit('ana@example.com', '9')
  await signIn(page, OPERATOR)
  await page.getByRole('link', { name: 'Import statement' }).click()
  await expect(page.getByRole('heading', { name: 'Statements', exact: true })).toBeVisible()
  const file = statementOf([
    { reference: first, amount: '250,50', bank: 'A1' },
    { reference: second, amount: '40,00', bank: 'A2', text: '=HYPERLINK("http://example.com")' },
    { reference: short, amount: '90,00', bank: 'A3' },
    { amount: '7,00', bank: 'A4' },
    { amount: '9,00', bank: 'A5', text: `top-up (${inText})` },
  ])
  await give(page, file)
  await expect(page.getByRole('heading', { name: 'Map the columns' })).toBeVisible()
  await expectAccessible(page)
  await mapColumns(page)
  const preview = page.getByRole('region', { name: 'Check the import' })
  await expect(preview).toContainText(/Payments received\s*5/)
  await expect(preview).toContainText(/Sum\s*396\.50/)
  await expect(preview).toContainText(/Largest\s*250\.50/)
  await expect(importButton(page)).toBeFocused()
  await expectAccessible(page)
  await confirmImport(page)
  await expect(page.getByRole('heading', { name: file.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm 2 ready deposits' })).toBeEnabled()
  await expect(line(page, 1)).toContainText(/Same amount.*Queued/)
  await expect(line(page, 2)).toContainText('=HYPERLINK("http://example.com")')
  await expect(line(page, 3)).toContainText(/10\.00 missing.*Queued/)
  await expect(line(page, 4)).toContainText('No reference')
  await expect(line(page, 5)).toContainText('Found in the free text:')
  await expect(page.getByRole('button', { name: 'Accept 1 found reference' })).toBeFocused()
  await expectAccessible(page)

  await line(page, 4).getByRole('button', { name: 'Enter reference' }).click()
  await page.getByRole('dialog').getByLabel('Reference').fill(byHand)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Look up' }).click()
  // Entered by hand, it is no part of what is confirmed together.
  await inList(page, 'To confirm by hand', 1)
  await expectFocusIn(page, 5)
  await expect(line(page, 4)).toContainText(`Edited by ${OPERATOR}`)
  await expect(page.getByRole('button', { name: 'Confirm 2 ready deposits' })).toBeEnabled()
  await line(page, 3).getByRole('button', { name: 'Set aside' }).click()
  const reason = page.getByRole('dialog').getByLabel('Reason')
  await expect(reason).toHaveValue('10.00 BZD missing: the bank received 90.00 BZD, the deposit is 100.00 BZD.')
  await reason.fill('asked the bank')
  await page.getByRole('dialog').getByRole('button', { name: 'Set aside' }).click()
  await expect(line(page, 3)).toContainText(`Set aside by ${OPERATOR}: asked the bank`)
  await expect(line(page, 4).getByRole('button', { name: 'Confirm this deposit' })).toBeFocused()

  await line(page, 2).getByRole('button', { name: 'Set aside' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a moment')
  await page.getByRole('dialog').getByRole('button', { name: 'Set aside' }).click()
  await line(page, 2).getByRole('button', { name: 'Put back' }).click()
  await page.getByRole('button', { name: 'Confirm 2 ready deposits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm 2 deposits of 290.50 BZD together' })
  await expect(dialog).toContainText('1 line is not included')
  await expect(dialog).toContainText(`Line 2, last by ${OPERATOR}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm 2 deposits' }).click()
  for (const number of [1, 2]) await expect(line(page, number)).toContainText('Done')
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeDisabled()
  await expect(runSummary(page)).toContainText('2 confirmed, 290.50 BZD')

  await line(page, 4).getByRole('button', { name: 'Confirm this deposit' }).click()
  const own = page.getByRole('dialog', { name: 'Confirm deposit of 7.00 BZD' })
  await expect(own.getByRole('heading', { name: 'Statement line 4' }).locator('..')).toContainText(/Reference\s*none/)
  await expect(own.getByRole('heading', { name: 'Entered by hand' }).locator('..')).toContainText(byHand)
  await expect(own).toContainText(`by ${OPERATOR}`)
  await expect(own).toContainText('Queued')
  await expectAccessible(page)
  await own.getByRole('button', { name: 'Cancel' }).click()
  await inList(page, 'To confirm by hand', 1)
  await line(page, 4).getByRole('button', { name: 'Confirm this deposit' }).click()
  await own.getByRole('button', { name: 'Confirm deposit of 7.00 BZD' }).click()
  await expect(line(page, 4)).toContainText('Done')

  await line(page, 5).getByRole('button', { name: 'Accept this reference' }).click()
  await expect(line(page, 5)).toContainText('accepted from the free text')
  await expect(line(page, 5).getByRole('button', { name: 'Confirm this deposit' })).toBeFocused()
  await page.keyboard.press('Enter')
  const accepted = page.getByRole('dialog', { name: 'Confirm deposit of 9.00 BZD' })
  await expect(accepted.getByRole('heading', { name: 'Accepted from the free text' }).locator('..')).toContainText(
    inText,
  )
  await accepted.getByRole('button', { name: 'Confirm deposit of 9.00 BZD' }).click()
  await expect(line(page, 5)).toContainText('Done')
  const closing = page.getByRole('region', { name: 'All lines handled' })
  await expect(closing).toContainText(/Confirmed\s*4 lines\s*306\.50\s*BZD/)
  await expect(closing).toContainText('1 line: asked the bank')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Results as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^results-July-\d+-\d{4}-\d\d-\d\d\.csv$/)
  expect(readFileSync(await download.path(), 'utf8')).toContain(`1,Done,,250.50000000,,${first},${first}`)
  await expectAccessible(page)
  await line(page, 4)
    .getByRole('link', { name: `Edited by ${OPERATOR}` })
    .click()
  await expect(page.getByText('Line 4 of a statement: reference entered').first()).toBeVisible()
  await expect(page.getByText(byHand).first()).toBeVisible()
  await page.getByRole('link', { name: 'Open the statement' }).click()

  await page.getByRole('link', { name: /^Set aside/ }).click()
  await expect(page).toHaveURL(/show=set-aside/)
  await expect(line(page, 3)).toBeVisible()
  await expect(line(page, 1)).toHaveCount(0)

  // Columns that are known are not asked for again, and a line that was here before is recognised.
  const next = statementOf([{ reference: 'nowhere', amount: '1,00', bank: 'B1' }])
  await give(page, next)
  await confirmImport(page)
  await expect(page.getByRole('heading', { name: next.name })).toBeVisible()
  await expect(line(page, 1)).toContainText('Not found')
  await give(page, file)
  await expect(page.getByText('This file was already imported')).toBeVisible()
  await expect(line(page, 1)).toContainText('Done')
})

test('a statement is discarded after a question, and restored from the list after a reload', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '3')
  await signIn(page, OPERATOR)
  await takeStatement(page, [{ reference, amount: '3.00' }])
  await expect(page.getByRole('button', { name: 'Confirm 1 ready deposit' })).toBeFocused()
  const address = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'Discard this statement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard 1 line' })
  await expect(dialog).toContainText('The journal is not changed. No deposits were confirmed from it.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Discard statement' }).click()
  await page.waitForURL(/\/deposits\/statements\?discarded=/)
  await expect(page.getByRole('button', { name: 'Restore' })).toBeFocused()
  await page.reload()
  await expect(page.getByText(/^Discarded by operator@example\.com\. It can be restored until/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(address)
  await expect(page.getByText('This statement was discarded.')).toBeVisible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('button', { name: 'Confirm 1 ready deposit' })).toBeFocused()
})

test('a run is stopped, left, and gone on with; nothing is sent twice', { tag: '@long' }, async ({ page, sandbox }) => {
  const references: string[] = []
  for (let at = 0; at < 4; at += 1) references.push(await sandbox.announceDeposit('ana@example.com', '10'))
  const before = await sandbox.arrived('POST', CONFIRM)
  await signIn(page, OPERATOR)
  await importTable(
    page,
    statementOf(references.map((reference, at) => ({ reference, amount: '10,00', bank: `S${at}` }))),
  )
  await expect(page.getByRole('button', { name: 'Confirm 4 ready deposits' })).toBeEnabled()
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: 'hold' })
  await confirmReady(page, 'Confirm 4 deposits')
  await expect(page.getByRole('progressbar', { name: 'Confirming' })).toBeVisible()
  await expect.poll(() => sandbox.heldRequests()).toBe(1)
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'DELETE'),
    page.getByRole('button', { name: 'Stop', exact: true }).click(),
  ])
  await sandbox.clearFaults()
  const address = page.url()
  await page.goto('/deposits')
  await page.goto(address)
  await expect(runSummary(page)).toContainText(/1 confirmed, 10\.00 BZD\s*Stopped after 1 of 4\./)
  await expect(line(page, 1)).toContainText('Done')
  await inList(page, 'Ready', 3)
  await confirmReady(page, 'Confirm 3 deposits')
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeVisible()
  for (const number of [1, 2, 3, 4]) await expect(line(page, number)).toContainText('Done')
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(before + 4)
  await expect(runSummary(page)).toContainText('3 confirmed, 30.00 BZD')
  await page.reload()
  await runSummary(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(runSummary(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeVisible()
  await expect(runSummary(page)).toHaveCount(0)
})

test('references in texts are accepted together, and all is confirmed by twelve keys', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const LINES = 500
  const references: string[] = []
  for (let at = 0; at < LINES; at += 1) references.push(await sandbox.announceDeposit('ana@example.com', '10'))
  await signIn(page, OPERATOR)
  await give(
    page,
    camtFile(references.map((reference) => ({ reference: '', amount: '10', text: `Top-up ${reference}, Ana` }))),
  )
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  await expect(importButton(page)).toBeFocused()
  await press('Enter')
  // Each text is looked up at the service, and each deposit is confirmed there.
  const long = { timeout: 600_000 }
  await expect(page.getByRole('button', { name: `Accept ${LINES} found references` })).toBeFocused(long)
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: `Accept ${LINES} found references` })
  await expect(dialog.getByRole('row')).toHaveCount(LINES + 1)
  await expect(dialog.locator('mark').first()).toHaveText(references[0] ?? '')
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: `Accept ${LINES} found references` })).toBeFocused()
  await press('Enter')
  const confirm = page.getByRole('button', { name: `Confirm ${LINES} ready deposits` })
  await expect(confirm).toBeFocused(long)
  await press('Enter')
  const last = page.getByRole('dialog').getByRole('button', { name: `Confirm ${LINES} deposits` })
  await last.waitFor()
  while (!(await last.evaluate((button) => button === document.activeElement))) await press('Tab')
  await press('Enter')
  await expect(page.getByRole('region', { name: 'All lines handled' })).toBeVisible(long)
  await inList(page, 'Done', LINES)
  expect(keys).toBeLessThanOrEqual(12)
})
