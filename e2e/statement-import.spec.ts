import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectReadable } from './support/readable.ts'
import { signIn } from './support/sign-in.ts'
import { confirmImport, give, importButton, line, mapColumns, statementOf } from './support/statement-tasks.ts'

const OPERATOR = 'operator@example.com'

test('of a file that is broken nothing is taken, and its faults are told by line', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, OPERATOR)
  await give(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
  await expect(page.getByText('The file is empty.')).toBeVisible()
  await give(page, { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(page.getByText('This seems to be a PDF document, not a bank statement.')).toBeVisible()
  await give(page, { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 'a') })
  await expect(page.getByText('The file is larger than 5 MB. Split it.')).toBeVisible()
  await give(page, { name: 'commas.csv', mimeType: 'text/csv', buffer: Buffer.alloc(4_900_000, ',') })
  await expect(page.getByText('This line has more than 200 columns.')).toBeVisible()
  await give(page, { name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from('<Document>\n</Stmt>') })
  const answers = page.getByRole('alert').filter({ hasText: 'broken.xml was not imported' })
  await expect(answers).toContainText(/Line \d+: The XML is broken/)
  await expectAccessible(page)
})

test('a file that takes long to read is in nobody’s way; a second one of the same person waits', {
  tag: '@long',
}, async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 4(22|29)/)
  await signIn(page, OPERATOR)
  const answers = await page.evaluate(async () => {
    const give = async (): Promise<number> => {
      const form = new FormData()
      form.set('file', new File([`<r>${'<a/>'.repeat(1_200_000)}</r>`], 'wide.xml'))
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

test('a person without the scope to confirm sees no statement, and is told which scope it takes', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, 'viewer@example.com', '/deposits/statements')
  for (const address of ['/deposits/statements', '/deposits/statements/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible()
    await expect(page.getByText('It needs the scope core:transactions:confirm.')).toBeVisible()
    await expect(page.getByText('Choose a statement')).toHaveCount(0)
  }
  await expectAccessible(page)
})

test('statements read well in light and dark, at every width', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR)
  await give(page, statementOf([{ reference: 'R'.repeat(80), amount: '12.345,67', bank: 'W', text: 'x'.repeat(300) }]))
  const heading = page.getByRole('heading', { name: /^(Map the columns|Check the import)$/ })
  await heading.waitFor()
  await expectReadable(page, 'the columns or the preview')
  if ((await heading.textContent())?.startsWith('Map') === true) await mapColumns(page)
  await expect(importButton(page)).toBeFocused()
  await expectReadable(page, 'the preview')
  await confirmImport(page)
  await expect(line(page, 1)).toContainText('Not found')
  for (const address of [page.url(), '/deposits/statements']) {
    await page.goto(address)
    await expectReadable(page, address)
  }
})

test('columns are mapped again, and what a file set aside is put back', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '3')
  await signIn(page, OPERATOR)
  const rows = [`05/04/2026;${reference};3.00;B-${reference}`, `06/04/2026;${reference};-3.00;R-${reference}`]
  const table = ['Date;Reference;Amount;Bank reference', ...rows].join('\n')
  await give(page, { name: 'slashes.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  const read = page.getByRole('button', { name: 'Read the amounts' })
  await read.click()
  await expect(page.getByText('Choose the order of day and month.')).toBeVisible()
  await page.getByText('2026-05-04 (month first)').click()
  await read.click()
  await expect(page.getByText('The money went back: paid out again at line 3 of this file.')).toBeVisible()
  await confirmImport(page)
  await expect(line(page, 1)).toContainText('2026-05-04')
  const address = new URL(page.url()).pathname
  await page.getByRole('link', { name: 'Map again' }).click()
  await page.getByText('2026-04-05 (day first)').click()
  await read.click()
  await expect(page.getByText('This replaces the statement that was imported before.')).toBeVisible()
  await expectAccessible(page)
  await importButton(page).click()
  await page.waitForURL((url) => url.pathname.startsWith('/deposits/statements/') && url.pathname !== address)
  await expect(line(page, 1)).toContainText('2026-04-05')
  await line(page, 1).getByRole('button', { name: 'Put back' }).click()
  const dialog = page.getByRole('dialog', { name: 'Put back: line 1' })
  await dialog.getByRole('button', { name: 'Put back' }).click()
  await expect(dialog.getByText('Enter why it is put back.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Paid twice, returned once.')
  await dialog.getByRole('button', { name: 'Put back' }).click()
  await expect(page.getByRole('button', { name: 'Confirm 1 ready deposit' })).toBeVisible()
  await page.goto(`/deposits/statements?again=${address.split('/').at(-1)}`)
  await expect(page.getByText('The columns of this statement cannot be mapped again.')).toBeVisible()
})
