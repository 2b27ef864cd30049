import type { BrowserContext } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signInWithSso } from './support/sign-in.ts'

/** Every page of the console, with something on it. */
const pages: readonly (readonly [name: string, path: (reference: string) => string])[] = [
  ['the desk', () => '/'],
  ['deposits', () => '/deposits'],
  ['a deposit', (reference) => `/deposits?reference=${encodeURIComponent(reference)}`],
  ['a deposit that is not there', () => '/deposits?reference=nothing'],
  ['transactions', () => '/transactions'],
  ['a transaction', (reference) => `/transactions/${encodeURIComponent(reference)}`],
  ['a transaction that is not there', () => '/transactions/nothing'],
  ['users', () => '/users'],
  ['a user', () => `/users/${ANA}`],
  ['what a user may do', () => `/users/${ANA}/access`],
  ['a user that is not there', () => '/users/00000000-0000-4000-8000-0000000000ff'],
  ['a user id that is none', () => '/users/nothing'],
  ['disputes', () => '/disputes'],
  ['security', () => '/security'],
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page reads well in ${colorScheme}, at every width, for everyone`, async ({ page, sandbox }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const reference = await sandbox.announceDeposit('ana@example.com', '250', 'Top-up')
    await signInWithSso(page, 'operator@example.com')
    for (const [name, path] of pages) {
      await page.goto(path(reference))
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0)
      }
      await expectAccessible(page)
    }
  })
}

test('the whole path works by keyboard alone', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '70')
  await signInWithSso(page, 'operator@example.com')
  await page.getByLabel('Reference', { exact: true }).focus()
  await page.keyboard.type(reference)
  await page.keyboard.press('Enter')
  await page.getByLabel('Bank’s reference').focus()
  await page.keyboard.type('ATL-K1')
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
  await page.keyboard.press('Enter')
  const confirm = dialog.getByRole('button', { name: /^Confirm deposit/ })
  for (let tabs = 0; tabs < 12 && !(await confirm.evaluate((it) => it === document.activeElement)); tabs += 1) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible()
})

/** Compressed bytes of JavaScript that a first visit loads. */
async function scriptBytes(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage()
  const scripts: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.sizes().then((sizes) => sizes.responseBodySize))
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  const sizes = await Promise.all(scripts)
  await page.close()
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('a first visit loads no more than its share of script', async ({ browser, page, programs, sandbox }) => {
  test.setTimeout(180_000)
  const reference = await sandbox.announceDeposit('ana@example.com', '8')
  await signInWithSso(page, 'operator@example.com')
  const storageState = await page.context().storageState()
  const visit = async (path: string, signedIn: boolean) => {
    const context = await browser.newContext({ baseURL: programs.consoleUrl, ...(signedIn ? { storageState } : {}) })
    const bytes = await scriptBytes(context, path)
    await context.close()
    return bytes / 1024
  }
  const signIn = await visit('/sign-in', false)
  expect(signIn).toBeGreaterThan(100)
  expect(signIn).toBeLessThan(145)
  for (const [name, path] of pages) expect(await visit(path(reference), true), name).toBeLessThan(200)
})

test('on a phone the areas are behind a button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInWithSso(page, 'operator@example.com')
  await page.getByRole('button', { name: 'Areas' }).click()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Deposits' })).toBeHidden()
})

test('an address that is no page says so', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  await signInWithSso(page, 'operator@example.com')
  await page.goto('/nothing-here')
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
})
