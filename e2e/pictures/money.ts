import type { Page } from '@playwright/test'
import { confirmDeposit } from '../support/deposit-tasks.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectOutcome } from '../support/outcome.ts'
import { picture, pictureAtDoubleSize, pictureForReadme } from '../support/picture.ts'
import { ANA } from '../support/sandbox-controls.ts'
import { signIn } from '../support/sign-in.ts'
import {
  confirmImport,
  give,
  importButton,
  mapColumns,
  statementOf,
  takeStatement,
} from '../support/statement-tasks.ts'

const OPERATOR = 'operator@example.com'
const EXPLAINED = /status of (404|500|503)/

const confirmButton = (page: Page) => page.getByRole('button', { name: /^Confirm deposit/ })

async function fillDeposit(page: Page, reference: string, bank: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(bank)
  await page.getByLabel('Amount on the statement').fill(amount)
}

test('a deposit, and Home', { tag: '@readme' }, async ({ page, sandbox, expectedErrors }) => {
  expectedErrors.push(EXPLAINED)
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '250', 'Top-up'),
    await sandbox.announceDeposit('ben@example.com', '1200.5'),
  ]
  await signIn(page, OPERATOR, '/')
  await picture(page, 'home/nothing-done')
  await page.goto('/deposits')
  await picture(page, 'deposits/begins')
  await page.goto('/deposits?reference=nothing')
  await picture(page, 'deposits/not-found')
  await fillDeposit(page, first, 'ATL-1', '205')
  await picture(page, 'deposits/amounts-differ')
  await pictureAtDoubleSize(page, 'deposits/amounts-differ')
  await fillDeposit(page, first, 'ATL-1', '250')
  await confirmButton(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'deposits/dialog')
  await pictureForReadme(page, 'deposits/dialog', 'dark')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expectOutcome(page, 'Done')
  await picture(page, 'deposits/done')
  await sandbox.fault({
    method: 'POST',
    path: '/api/v1/Transaction/deposit/confirm',
    times: 1,
    effect: 'drop-before',
  })
  await sandbox.fault({ method: 'GET', path: '/api/v1/Transaction/{referenceId}', times: 400, effect: { status: 503 } })
  await page.goto('/')
  await picture(page, 'home/one-done')
  await sandbox.clearFaults()
  await fillDeposit(page, second, 'ATL-2', '1200.50')
  await sandbox.fault({ method: 'POST', path: '/api/v1/Transaction/deposit/confirm', times: 1, effect: 'drop-after' })
  await confirmButton(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(page.getByRole('heading', { name: /^(Not known yet|Done)$/ })).toBeVisible()
  await picture(page, 'deposits/not-known-yet')
})

test('statements', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '250')
  const other = await sandbox.announceDeposit('ana@example.com', '40')
  const differs = await sandbox.announceDeposit('ben@example.com', '80')
  await signIn(page, OPERATOR, '/deposits/statements')
  await picture(page, 'statements/none')
  const open =
    'Buchungstag;Betrag;Betrag;Referenz;Text\n05.05.2026;1.080;7;BIG-1;first\n06.05.2026;2.500;9;BIG-2;second\n'
  await give(page, { name: 'open.csv', mimeType: 'text/csv', buffer: Buffer.from(open) })
  await page.getByRole('button', { name: 'Read the amounts' }).click()
  await expect(page.getByText('Choose the decimal separator.')).toBeVisible()
  await picture(page, 'statements/undecided')
  const total =
    'Booked;Text;Ref;Amount\n05.05.2026;top-up;SUM-1;250,00 BZD\n05.05.2026;top-up;SUM-2;9.090,00 USD\n;Total;;340,00\n'
  await give(page, { name: 'total.csv', mimeType: 'text/csv', buffer: Buffer.from(total) })
  await page.getByRole('button', { name: 'Read the amounts' }).click()
  await expect(page.getByText('Before you import')).toBeVisible()
  await picture(page, 'statements/remarks')

  await give(page, { name: 'may.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 statement') })
  await expect(page.getByText('may.pdf was not imported')).toBeVisible()
  await picture(page, 'statements/refused')
  await give(
    page,
    statementOf([
      { reference, amount: '250,00', bank: 'B1' },
      { amount: '12,00', bank: 'B2' },
    ]),
  )
  await expect(page.getByRole('button', { name: 'Read the amounts' })).toBeVisible()
  await picture(page, 'statements/columns')
  await mapColumns(page)
  await expect(importButton(page)).toBeFocused()
  await picture(page, 'statements/preview')
  await confirmImport(page)
  await takeStatement(page, [
    { reference: other, amount: '40.00' },
    { reference: differs, amount: '81.00', text: 'Invoice 4471, second part' },
    { reference: 'NOBODYS', amount: '1234.00' },
  ])
  await expect(page.getByText('Looking up for')).toHaveCount(0)
  await picture(page, 'statements/one')
  await page
    .getByRole('button', { name: /^Confirm .*ready/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'statements/dialog')
})

test('transactions and users', async ({ page, sandbox, expectedErrors }) => {
  expectedErrors.push(EXPLAINED)
  const reference = await sandbox.announceDeposit('ana@example.com', '250', 'Top-up')
  const { id } = await sandbox.newHolder('nova')
  await signIn(page, OPERATOR, '/transactions')
  await picture(page, 'transactions/begins')
  await page.goto(`/transactions/${encodeURIComponent(reference)}`)
  await picture(page, 'transactions/queued')
  await confirmDeposit(page, reference, '250')
  await page.goto(`/transactions/${encodeURIComponent(reference)}`)
  await picture(page, 'transactions/confirmed-here')
  await page.goto('/transactions/nothing')
  await picture(page, 'transactions/not-found')
  await page.goto('/users')
  await picture(page, 'users/begins')
  await page.goto(`/users/${ANA}`)
  await picture(page, 'users/many-rows')
  await pictureAtDoubleSize(page, 'users/many-rows')
  await page.goto(`/users/${id}`)
  await picture(page, 'users/no-rows')
  await page.goto(`/users/${ANA}/cards`)
  await picture(page, 'users/cards')
  await page.goto(`/users/${ANA}/access`)
  await picture(page, 'users/access')
  await sandbox.fault({
    method: 'GET',
    path: '/api/v1/Transaction/account/{accountId}',
    times: 20,
    effect: { status: 500 },
  })
  await page.goto(`/users/${ANA}`)
  await picture(page, 'users/rows-that-fail')
})
