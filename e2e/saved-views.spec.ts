import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { choice, queueTable } from './support/queue.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

const menu = (page: Page) => page.getByRole('region', { name: 'Saved views' })
const opener = (page: Page) => page.getByRole('button', { name: /^View/ })
const head = (page: Page, name: string) => queueTable(page).getByRole('columnheader', { name, exact: true })

test('saves, changes and shares a view; others only use it', { tag: '@long' }, async ({
  browser,
  page,
  programs,
  expectedErrors,
  sandbox: _reset,
}) => {
  await signIn(page, 'arbitrator@example.com', '/disputes?age=older')
  await alive(page)
  const rows = await page
    .getByRole('status')
    .filter({ hasText: /^1–\d+ of/ })
    .textContent()
  await opener(page).click()
  const kept = page.waitForResponse('**/api/session/preferences')
  await page.getByRole('checkbox', { name: 'Against' }).uncheck()
  await kept
  await menu(page).getByLabel('Save as a new view').fill('Old ones')
  await menu(page)
    .getByRole('checkbox', { name: /^Share/ })
    .check()
  await menu(page).getByRole('button', { name: 'Save view' }).click()
  await expect(opener(page)).toHaveText('View: Old ones')
  await expect(page).toHaveURL(/\?age=older&view=[\da-f-]{36}$/)

  // Changed, saved, and changed no more.
  await opener(page).click()
  const open = await page.locator(':popover-open').boundingBox()
  expect((open?.y ?? 0) + (open?.height ?? Number.NaN)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
  await page.getByText('Compact').click()
  await expect(menu(page).getByLabel('Save as a new view')).toHaveValue('')
  await expect(opener(page)).toHaveText('View: Old ones changed')
  await menu(page).getByRole('button', { name: 'Save changes of this view' }).click()
  await expect(opener(page)).toHaveText('View: Old ones')
  await menu(page).getByRole('button', { name: 'Make default' }).click()
  await expect(menu(page).getByRole('button', { name: 'Remove as default' })).toBeVisible()

  // The name is taken, and what was typed stays.
  expectedErrors.push(/status of 409/)
  await menu(page).getByLabel('Save as a new view').fill('OLD ones')
  await menu(page)
    .getByRole('checkbox', { name: /^Share/ })
    .check()
  await menu(page).getByRole('button', { name: 'Save view' }).click()
  await expect(menu(page).getByText('Another view of this table has this name.')).toBeVisible()
  await expect(menu(page).getByLabel('Save as a new view')).toHaveValue('OLD ones')

  await page.goto('/disputes')
  await expect(page).toHaveURL(/\?age=older&view=[\da-f-]{36}$/)
  await expect(opener(page)).toHaveText('View: Old ones')
  await expect(range(page, rows ?? '')).toBeVisible()
  await expect(head(page, 'Against')).toHaveCount(0)
  await alive(page)
  await choice(page, 'status', 'Open').click()
  await expect(page).toHaveURL('/disputes?status=open')
  await expect(range(page, '1–20 of 30')).toBeVisible()
  await expect(opener(page)).toHaveText('View')

  const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
  const other = await elsewhere.newPage()
  await signIn(other, 'admin@example.com', '/disputes')
  await alive(other)
  await expect(head(other, 'Against')).toBeVisible()
  await opener(other).click()
  await menu(other).getByRole('link', { name: 'Old ones' }).click()
  await expect(opener(other)).toHaveText('View: Old ones')
  await expect(range(other, rows ?? '')).toBeVisible()
  await expect(head(other, 'Against')).toHaveCount(0)
  await elsewhere.close()
})
