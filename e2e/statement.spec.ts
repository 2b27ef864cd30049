import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectReadable } from './support/readable.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

interface Line {
  readonly reference?: string
  readonly amount: string
  readonly bank: string
  readonly text?: string
}

let files = 0

/** A bank's table. No two are alike. */
function statementOf(lines: readonly Line[]): { name: string; mimeType: string; buffer: Buffer } {
  files += 1
  const rows = lines.map(({ reference = '', amount, bank, text = `file ${files}` }) =>
    [reference, amount, `${bank}-${process.pid}`, text].join(';'),
  )
  const csv = ['Zahlungsreferenz;Betrag;Bankreferenz;Text', ...rows].join('\r\n')
  return { name: `July-${files}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${csv}`) }
}

async function give(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.goto('/deposits/statements')
  const field = page.getByLabel('Choose a statement')
  await expect(field).toBeEnabled()
  await field.setInputFiles(file)
}

async function mapColumns(page: Page): Promise<void> {
  await page.getByLabel('Reference', { exact: false }).first().selectOption('Zahlungsreferenz')
  await page.getByLabel('Amount').selectOption('Betrag')
  await page.getByLabel('Bank’s reference').selectOption('Bankreferenz')
  await page.getByLabel('Free text').selectOption('Text')
  await page.getByText('a comma: 1.250,00').click()
  await page.getByRole('button', { name: /^Import / }).click()
}

const line = (page: Page, number: number) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: String(number), exact: true }) })
    .first()

const inList = (page: Page, word: string, count: number) =>
  expect(page.getByRole('link', { name: `${word} ${count}`, exact: true })).toBeVisible()

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
  await signIn(page, OPERATOR)
  await page.getByRole('link', { name: 'Import statement' }).click()
  await expect(page.getByRole('heading', { name: 'Statements', exact: true })).toBeVisible()
  const file = statementOf([
    { reference: first, amount: '250,50', bank: 'A1' },
    { reference: second, amount: '40,00', bank: 'A2', text: '=HYPERLINK("http://example.com")' },
    { reference: short, amount: '90,00', bank: 'A3' },
    { amount: '7,00', bank: 'A4' },
  ])
  await give(page, file)
  await expect(page.getByRole('heading', { name: 'Which column carries what' })).toBeVisible()
  await expectAccessible(page)
  await mapColumns(page)
  await expect(page.getByRole('heading', { name: file.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm 2 ready deposits' })).toBeEnabled()
  await expect(line(page, 1)).toContainText(/Found.*Same.*Queued/)
  await expect(line(page, 2)).toContainText('=HYPERLINK("http://example.com")')
  await expect(line(page, 3)).toContainText(/Found.*10\.00 missing.*Queued/)
  await expect(line(page, 4)).toContainText('No reference')
  await expectAccessible(page)

  await line(page, 4).getByRole('button', { name: 'Enter reference' }).click()
  await page.getByRole('dialog').getByLabel('Reference').fill(byHand)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Look it up' }).click()
  // Entered by hand, it is no part of what is confirmed together.
  await inList(page, 'Entered by hand', 1)
  await expect(line(page, 4)).toContainText(`Edited by ${OPERATOR}`)
  await expect(page.getByRole('button', { name: 'Confirm 2 ready deposits' })).toBeEnabled()
  await line(page, 3).getByRole('button', { name: 'Set aside' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('asked the bank')
  await page.getByRole('dialog').getByRole('button', { name: 'Set it aside' }).click()
  await expect(line(page, 3)).toContainText(`Set aside by ${OPERATOR}: asked the bank`)

  await line(page, 2).getByRole('button', { name: 'Set aside' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a moment')
  await page.getByRole('dialog').getByRole('button', { name: 'Set it aside' }).click()
  await line(page, 2).getByRole('button', { name: 'Put back' }).click()
  await page.getByRole('button', { name: 'Confirm 2 ready deposits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm 2 deposits of 290.50 BZD together' })
  await expect(dialog).toContainText('1 line is not part of it')
  await expect(dialog).toContainText(`Line 2, last by ${OPERATOR}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm 2 deposits' }).click()
  for (const number of [1, 2]) await expect(line(page, number)).toContainText('Done', { timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeDisabled()

  await line(page, 4).getByRole('button', { name: 'Confirm this deposit' }).click()
  const own = page.getByRole('dialog', { name: 'Confirm deposit of 7.00 BZD' })
  await expect(own.getByRole('heading', { name: 'The bank’s line 4' }).locator('..')).toContainText(/Reference\s*none/)
  await expect(own.getByRole('heading', { name: 'Entered by hand' }).locator('..')).toContainText(byHand)
  await expect(own).toContainText(`by ${OPERATOR}`)
  await expect(own).toContainText('Queued')
  await expectAccessible(page)
  await own.getByRole('button', { name: 'Cancel' }).click()
  await inList(page, 'Entered by hand', 1)
  await line(page, 4).getByRole('button', { name: 'Confirm this deposit' }).click()
  await own.getByRole('button', { name: 'Confirm deposit of 7.00 BZD' }).click()
  await expect(line(page, 4)).toContainText('Done', { timeout: 20_000 })
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
  await expect(page.getByRole('heading', { name: next.name })).toBeVisible()
  await expect(line(page, 1)).toContainText('Not found')
  await give(page, file)
  await expect(page.getByText('This file was imported before')).toBeVisible()
  await expect(line(page, 1)).toContainText('Done')
})

test('a run is stopped, left, and gone on with; nothing is sent twice', async ({ page, sandbox }) => {
  const references: string[] = []
  for (let at = 0; at < 4; at += 1) references.push(await sandbox.announceDeposit('ana@example.com', '10'))
  const before = await sandbox.arrived('POST', CONFIRM)
  await signIn(page, OPERATOR)
  await give(page, statementOf(references.map((reference, at) => ({ reference, amount: '10,00', bank: `S${at}` }))))
  // The columns may be known from before.
  await page.getByRole('heading', { name: /^(Which column carries what|July-\d+\.csv)$/ }).waitFor()
  if (await page.getByRole('heading', { name: 'Which column carries what' }).isVisible()) await mapColumns(page)
  await expect(page.getByRole('button', { name: 'Confirm 4 ready deposits' })).toBeEnabled()
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: { delayMs: 4_000 } })
  await confirmReady(page, 'Confirm 4 deposits')
  await expect(page.getByRole('progressbar', { name: 'Confirming' })).toBeVisible()
  await expect.poll(() => sandbox.faultsWaiting()).toBe(0)
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'DELETE'),
    page.getByRole('button', { name: 'Stop', exact: true }).click(),
  ])
  const address = page.url()
  await page.goto('/deposits')
  await page.goto(address)
  await expect(page.getByText('It was stopped after 1 of 4.')).toBeVisible({ timeout: 20_000 })
  await expect(line(page, 1)).toContainText('Done')
  await inList(page, 'Ready', 3)
  await confirmReady(page, 'Confirm 3 deposits')
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeVisible({ timeout: 20_000 })
  for (const number of [1, 2, 3, 4]) await expect(line(page, number)).toContainText('Done')
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(before + 4)
})

test('of a file that is broken nothing is taken, and its faults are told by line', async ({ page }) => {
  await signIn(page, OPERATOR)
  await give(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
  await expect(page.getByText('The file is empty.')).toBeVisible()
  await give(page, { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 'a') })
  await expect(page.getByText('The file is larger than 5 MB. Split it.')).toBeVisible()
  await give(page, { name: 'commas.csv', mimeType: 'text/csv', buffer: Buffer.alloc(4_900_000, ',') })
  await expect(page.getByText('This line has more than 200 columns.')).toBeVisible({ timeout: 30_000 })
  await give(page, { name: 'cut.xml', mimeType: 'text/xml', buffer: Buffer.from('<Document>\n<Stmt>') })
  const answers = page.getByRole('alert').filter({ hasText: 'Nothing of cut.xml was imported' })
  await expect(answers).toContainText(/Line \d+: The XML is broken/)
  await expectAccessible(page)
})

test('a file that takes long to read is in nobody’s way; a second one of the same person waits', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4(22|29)/)
  await signIn(page, OPERATOR)
  const answers = await page.evaluate(async () => {
    const give = async (): Promise<number> => {
      const form = new FormData()
      form.set('file', new File(['<a>'.repeat(1_600_000)], 'deep.xml'))
      const headers = { 'x-console': '1' }
      return (await fetch('/api/deposits/statements', { method: 'POST', body: form, headers })).status
    }
    let reading = true
    let answered = 0
    const others = async (): Promise<void> => {
      while (reading) if ((await fetch('/api/health')).ok && reading) answered += 1
    }
    const asking = others()
    const statuses = await Promise.all([give(), give()])
    reading = false
    await asking
    return { statuses: statuses.toSorted(), answered }
  })
  expect([200, 422]).toContain(answers.statuses[0])
  expect(answers.statuses[1]).toBe(429)
  expect(answers.answered).toBeGreaterThan(10)
})

test('a person without the scope to confirm sees no statement, and is told which scope it takes', async ({ page }) => {
  await signIn(page, 'viewer@example.com', '/deposits/statements')
  for (const address of ['/deposits/statements', '/deposits/statements/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'You are not permitted to see this' })).toBeVisible()
    await expect(page.getByText('It needs the scope core:transactions:confirm.')).toBeVisible()
    await expect(page.getByText('Choose a statement')).toHaveCount(0)
  }
  await expectAccessible(page)
})

test('statements read well in light and dark, at every width', async ({ page }) => {
  await signIn(page, OPERATOR)
  await give(page, statementOf([{ reference: 'R'.repeat(80), amount: '12.345,67', bank: 'W', text: 'x'.repeat(300) }]))
  await page.getByRole('heading', { name: /^(Which column carries what|July-\d+\.csv)$/ }).waitFor()
  if (await page.getByRole('heading', { name: 'Which column carries what' }).isVisible()) await mapColumns(page)
  await expect(line(page, 1)).toContainText('Not found')
  for (const address of [page.url(), '/deposits/statements']) {
    await page.goto(address)
    await expectReadable(page, address)
  }
})
