import type { BrowserContext, Page } from '@playwright/test'
import { issueCard } from './support/card-tasks.ts'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { ANA, type SandboxControls } from './support/sandbox-controls.ts'
import { signInWithSso } from './support/sign-in.ts'
import { takeStatement } from './support/statement-tasks.ts'
import { openMerchant, openTerminal } from './support/terminal-tasks.ts'

/** What the pages are about. */
interface World {
  /** Of a deposit that waits. */
  readonly reference: string
  readonly card: string
  /** Addresses. */
  readonly terminal: string
  readonly statement: string
}

/** Every page of the console, with something on it. */
const pages: readonly (readonly [name: string, path: (world: World) => string])[] = [
  ['the desk', () => '/'],
  ['deposits', () => '/deposits'],
  ['a deposit', ({ reference }) => `/deposits?reference=${encodeURIComponent(reference)}`],
  ['a deposit that is not there', () => '/deposits?reference=nothing'],
  ['transactions', () => '/transactions'],
  ['a transaction', ({ reference }) => `/transactions/${encodeURIComponent(reference)}`],
  ['a transaction that is not there', () => '/transactions/nothing'],
  ['users', () => '/users'],
  ['a user', () => `/users/${ANA}`],
  ['what a user may do', () => `/users/${ANA}/access`],
  ['a user that is not there', () => '/users/00000000-0000-4000-8000-0000000000ff'],
  ['a user id that is none', () => '/users/nothing'],
  ['cards', () => '/cards'],
  ['issuing a card', () => '/cards/issue'],
  ['a card', ({ card }) => `/cards/${card}`],
  ['a card that is not there', () => '/cards/00000000-0000-4000-8000-0000000000ff'],
  ['terminals', () => '/terminals?merchant=merchant-001'],
  ['a terminal', ({ terminal }) => terminal],
  ['statements', () => '/deposits/statement'],
  ['a statement', ({ statement }) => statement],
  ['disputes', () => '/disputes'],
  ['security', () => '/security'],
]

/** Signed in as an operator, who has done something in every area. */
async function prepare(page: Page, sandbox: SandboxControls): Promise<World> {
  const [reference, confirmed] = [
    await sandbox.announceDeposit('ana@example.com', '250', 'Top-up'),
    await sandbox.announceDeposit('ana@example.com', '1200.5'),
  ]
  await signInWithSso(page, 'operator@example.com')
  await confirmDeposit(page, confirmed, '1200.5')
  const { id } = await issueCard(page, { userId: ANA })
  await openMerchant(page, 'merchant-001')
  await openTerminal(page, 'PAX-A920-0001')
  const terminal = new URL(page.url()).pathname
  await takeStatement(page, [
    { reference, amount: '250.00' },
    { reference, amount: '12.00', text: 'x'.repeat(200) },
    { reference: 'R'.repeat(80), amount: '1234.00' },
  ])
  return { reference, card: id, terminal, statement: new URL(page.url()).pathname }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page reads well in ${colorScheme}, at every width, for everyone`, async ({ page, sandbox }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const world = await prepare(page, sandbox)
    for (const [name, path] of pages) {
      await page.goto(path(world))
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0)
      }
      await expectAccessible(page)
    }
  })
}

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
  const world = await prepare(page, sandbox)
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
  for (const [name, path] of pages) expect(await visit(path(world), true), name).toBeLessThan(200)
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

test('a page has a title at every moment, also while it gives way to the next', async ({ page }) => {
  await signInWithSso(page, 'operator@example.com')
  // Before its scripts run, a link loads a page anew, and nothing is left of what is noted here.
  await expect(page.locator('form[novalidate]')).toHaveCount(1)
  await page.evaluate(() => {
    const titles = new Set<string>()
    Object.assign(window, { titles })
    new MutationObserver(() => titles.add(document.title)).observe(document.head, { childList: true, subtree: true })
  })
  for (const area of ['Deposits', 'Transactions', 'Users', 'Cards', 'Terminals', 'Disputes', 'Security', 'Desk']) {
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area }).click()
    await expect(page.getByRole('heading', { level: 1, name: area })).toBeVisible()
  }
  const titles = await page.evaluate(() => [...(window as unknown as { titles: Set<string> }).titles])
  expect(titles.length).toBeGreaterThan(5)
  expect(titles).not.toContain('')
})
