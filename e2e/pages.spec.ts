import type { Page } from '@playwright/test'
import { issueCard } from './support/card-tasks.ts'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { expectReadable, LONG, WIDTHS } from './support/readable.ts'
import { ANA, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { takeStatement } from './support/statement-tasks.ts'
import { openMerchant, openTerminal } from './support/terminal-tasks.ts'
import { connection, markDocument } from './support/workbench.ts'

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
  ['home', () => '/'],
  ['deposits', () => '/deposits'],
  ['a deposit', ({ reference }) => `/deposits?reference=${encodeURIComponent(reference)}`],
  ['a deposit that is not there', () => '/deposits?reference=nothing'],
  ['transactions', () => '/transactions'],
  ['a transaction', ({ reference }) => `/transactions/${encodeURIComponent(reference)}`],
  ['users', () => '/users'],
  ['a user', () => `/users/${ANA}`],
  ['what a user may do', () => `/users/${ANA}/access`],
  ['a user id that is none', () => '/users/nothing'],
  ['cards', () => '/cards'],
  ['issuing a card', () => '/cards/issue'],
  ['a card', ({ card }) => `/cards/${card}`],
  ['terminals', () => '/terminals?merchant=merchant-001'],
  ['a terminal', ({ terminal }) => terminal],
  ['statements', () => '/deposits/statements'],
  ['a statement', ({ statement }) => statement],
  ['disputes', () => '/disputes'],
  ['activity', () => '/activity'],
  ['security', () => '/security'],
]

const IN_DARK_TOO: ReadonlySet<string> = new Set(['a deposit', 'a user', 'a statement', 'disputes'])

/** Looked at by `npm run test:long` alone: pages like one that is in the list. */
const furtherPages: typeof pages = [
  ['a transaction that is not there', () => '/transactions/nothing'],
  ['a user that is not there', () => '/users/00000000-0000-4000-8000-0000000000ff'],
  ['a card that is not there', () => '/cards/00000000-0000-4000-8000-0000000000ff'],
]

/** Signed in as an operator, who has done something in every area. */
async function prepare(page: Page, sandbox: SandboxControls): Promise<World> {
  const [reference, confirmed] = [
    await sandbox.announceDeposit('ana@example.com', '250', 'Top-up'),
    await sandbox.announceDeposit('ana@example.com', '1200.5'),
  ]
  await signIn(page, 'operator@example.com')
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

const SCRIPT_KB_MAX = 200
const SIGN_IN_SCRIPT_KB_MAX = 145

/** Answers how many kB of JavaScript, compressed, came since the last call. */
async function countScript(
  page: Page,
  settled: () => Promise<void> = () => page.waitForLoadState('networkidle'),
): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page)
  // Each page is as on a first visit.
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  let sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') sizes.push(request.sizes().then((size) => size.responseBodySize))
  })
  return async () => {
    await settled()
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    sizes = []
    return bytes / 1024
  }
}

test('every page reads well at every width, and loads no more than its share of script', async ({ page, sandbox }) => {
  test.setTimeout(240_000)
  const world = await prepare(page, sandbox)
  const scriptKb = await countScript(page)
  for (const [name, path] of LONG ? [...pages, ...furtherPages] : pages) {
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
    await scriptKb()
    await page.goto(path(world))
    const loaded = await scriptKb()
    expect(loaded, name).toBeGreaterThan(100)
    expect(loaded, name).toBeLessThan(SCRIPT_KB_MAX)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    // Colours come from roles alone; in dark they are looked at where most of them are.
    await expectReadable(page, name, IN_DARK_TOO.has(name) ? ['light', 'dark'] : ['light'])
  }
})

test('a case loads no more than its share of script', async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com', '/security')
  await page.waitForLoadState('networkidle')
  // It listens to its stream for good. When it is live, all that it loads by itself has come.
  const scriptKb = await countScript(page, () => expect(connection(page, 'Live')).toBeVisible({ timeout: 20_000 }))
  await page.goto(`/disputes/${caseId}`)
  const loaded = await scriptKb()
  expect(loaded).toBeGreaterThan(100)
  expect(loaded).toBeLessThan(SCRIPT_KB_MAX)
})

test('the sign-in page loads no more than its share of script', async ({ page }) => {
  const scriptKb = await countScript(page)
  await page.goto('/sign-in')
  const loaded = await scriptKb()
  expect(loaded).toBeGreaterThan(100)
  expect(loaded).toBeLessThan(SIGN_IN_SCRIPT_KB_MAX)
})

test('on a phone the areas are behind a button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'operator@example.com')
  await page.getByRole('button', { name: 'Areas' }).click()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Deposits' })).toBeHidden()
})

test('an address that is no page says so', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  await signIn(page, 'operator@example.com')
  await page.goto('/nothing-here')
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
})

test('a page has a title at every moment, also while it gives way to the next', async ({ page }) => {
  await signIn(page, 'operator@example.com')
  const goTo = async (area: string) => {
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area }).click()
    await expect(page.getByRole('heading', { level: 1, name: area })).toBeVisible()
  }
  // Before its part of the page comes alive, a link loads a document anew, and nothing is left of what is noted here.
  await expect(async () => {
    const isSame = await markDocument(page)
    await goTo('Security')
    expect(await isSame()).toBe(true)
  }).toPass()
  await page.evaluate(() => {
    const titles = new Set<string>()
    Object.assign(window, { titles })
    new MutationObserver(() => titles.add(document.title)).observe(document.head, { childList: true, subtree: true })
  })
  for (const area of ['Deposits', 'Transactions', 'Users', 'Cards', 'Terminals', 'Disputes', 'Security', 'Home']) {
    await goTo(area)
  }
  const titles = await page.evaluate(() => [...(window as unknown as { titles: Set<string> }).titles])
  expect(titles.length).toBeGreaterThan(5)
  expect(titles).not.toContain('')
})
