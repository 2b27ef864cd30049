import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { showIn } from './support/readable.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { watchQuiet } from './support/visits.ts'

/**
 * How much of a picture may differ: other builds of Chromium draw the edges of letters otherwise, and move nothing. The pictures
 * are of what a page is about, so that what has moved there is a good part of them.
 */
const DIFFERENT_MAX = 0.015

interface Look {
  readonly width: 390 | 1440
  readonly theme: 'dark' | 'light'
  /** What is different in every run. */
  readonly changing?: readonly Locator[]
}

/** A part of a page is as it is in its picture in `stored/pictures`. */
async function expectToLook(part: Locator, name: string, { width, theme, changing = [] }: Look): Promise<void> {
  const page = part.page()
  await page.setViewportSize({ width, height: 640 })
  await watchQuiet(page)()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await showIn(page, theme)
  await showOneTime(page)
  const mask = { mask: [...changing], maskColor: '#888888' }
  await expect(part).toHaveScreenshot(['pictures', `${name}.png`], { maxDiffPixelRatio: DIFFERENT_MAX, ...mask })
}

/** Every time is the same, as its text decides how wide its column is. */
const showOneTime = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const time of document.querySelectorAll('time')) time.textContent = '1 Jan 2026'
  })

test('ten pages look as in their pictures, and a column that has moved is told from them', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const main = page.locator('main')
  await page.goto('/sign-in')
  await expectToLook(page.locator('body'), 'sign-in', { width: 1440, theme: 'light' })
  await expectToLook(main, 'sign-in-dark', { width: 390, theme: 'dark' })
  const reference = await sandbox.announceDeposit('ana@example.com', '250', 'Top-up')
  await signIn(page, 'operator@example.com', '/')
  await expectToLook(page.locator('body'), 'home', { width: 1440, theme: 'light' })
  await page.goto('/transactions')
  await expectToLook(main, 'transactions', { width: 390, theme: 'light' })
  await page.goto(`/users/${ANA}/access`)
  await expectToLook(main, 'what-a-user-may-do', { width: 1440, theme: 'dark' })
  await page.goto('/cards/issue')
  await expectToLook(main, 'issuing-a-card', { width: 1440, theme: 'dark' })
  await page.goto('/deposits/statements')
  await expectToLook(main, 'statements', { width: 390, theme: 'dark' })
  await page.goto('/security')
  await expectToLook(main, 'security', { width: 1440, theme: 'dark' })
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-1')
  await page.getByLabel('Amount on the statement').fill('205')
  await expect(page.getByText('45.00 BZD missing')).toBeVisible()
  const deposit = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Confirm a deposit' }) })
  const changing = [page.getByRole('textbox', { name: 'Reference', exact: true }), page.getByText(reference)]
  await expectToLook(deposit, 'a-deposit', { width: 1440, theme: 'light', changing })
  await page.goto('/terminals?merchant=merchant-001')
  const table = page.getByRole('table')
  await expectToLook(table, 'terminals', { width: 1440, theme: 'light' })
  await table.evaluate((element) => {
    for (const row of element.querySelectorAll('tr')) row.prepend(row.children[2] ?? '')
  })
  await expect(table).not.toHaveScreenshot(['pictures', 'terminals.png'], { maxDiffPixelRatio: DIFFERENT_MAX })
})
