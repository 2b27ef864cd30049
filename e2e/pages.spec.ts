import type { Page } from '@playwright/test'
import {
  adminPages,
  casePages,
  controlPages,
  furtherPages,
  openPages,
  type Pages,
  pages,
  paymentPages,
  prepare,
  type World,
  workPages,
} from './support/console-pages.ts'
import { expect, test } from './support/fixtures.ts'
import { expectAsStored } from './support/page-text.ts'
import { expectReadable, LONG, WIDTHS } from './support/readable.ts'
import { openSession, signIn } from './support/sign-in.ts'
import { type Visits, watchVisits } from './support/visits.ts'
import { connection, markDocument } from './support/workbench.ts'

const SCRIPT_KB_MAX = 200

const LOOKED_AT: ReadonlySet<string> = new Set(['a deposit', 'a user', 'a statement', 'the queue'])

/** The console waits 10 s for an answer of the service. */
const SOONER_THAN_CONSOLE_GIVES_UP = { timeout: 8_000 }

const READINGS = [
  'Users/{id}/scopes',
  'Transaction/{referenceId}',
  'Transaction/account/{accountId}',
  'Dispute',
  'cards/{cardId}',
  'merchant-terminals',
  'merchant-terminals/{terminalId}',
  'Security/totp',
]

test.describe.configure({ mode: 'parallel' })

async function expectShareOfScript(visits: Visits, name: string): Promise<void> {
  const kb = await visits.scriptKb()
  expect(kb, name).toBeGreaterThan(100)
  expect(kb, name).toBeLessThan(SCRIPT_KB_MAX)
}

/** Each page reads as it is stored, loads no more than its share of script, and asks for nothing. */
async function expectEachWell(page: Page, visits: Visits, pages: Pages, world = {} as World): Promise<void> {
  const known = world.lastFour === undefined ? {} : { [world.lastFour]: 'last four' }
  for (const [name, path] of pages) {
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
    await visits.open(path(world))
    await expectShareOfScript(visits, name)
    expect(visits.requests(), `${name}: its first content comes with the page`).toEqual([])
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    // The router replaces the head's tags on each change of page, and this one restyles the whole document.
    await expect(page.locator('meta[name="color-scheme"]')).toHaveCount(0)
    await expectAsStored(page, name, 'main', known)
    // Colours come from roles alone: they are checked where most of them are, and by `npm run test:long` everywhere.
    if (LONG || LOOKED_AT.has(name)) await expectReadable(page, name)
  }
}

test('pages of payments read well and as stored', async ({ page, programs, sandbox }) => {
  // The stored texts of Home and Activity hold what `prepare` does and nothing else.
  await programs.startOver()
  const world = await prepare(page, sandbox)
  const tested = [...paymentPages, ...(LONG ? furtherPages : []), ...workPages]
  await expectEachWell(page, await watchVisits(page), tested, world)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAsStored(page, 'areas', 'nav[aria-label="Areas"] >> visible=true')
  await expect(page.getByRole('banner').getByText('Live', { exact: true })).toBeVisible()
  await expectAsStored(page, 'bar', 'role=banner')
})

test('pages of disputes and security read well and as stored', async ({ page, programs }) => {
  await programs.startOver()
  const visits = await watchVisits(page)
  for (const [email, pages] of [
    ['operator@example.com', controlPages],
    ['arbitrator@example.com', casePages],
    ['admin@example.com', adminPages],
  ] as const) {
    await page.context().clearCookies()
    await signIn(page, email, '/')
    await expectEachWell(page, visits, pages)
  }
})

test('a case loads no more than its share of script', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com', '/security')
  const visits = await watchVisits(page)
  // It listens to its stream for good. When it is live, all that it loads by itself has come.
  await visits.open(`/disputes/${caseId}`, () => expect(connection(page, 'Live')).toBeVisible())
  await expectShareOfScript(visits, 'a case')
})

test('plain pages read as they are stored, without scripts', async ({ page }) => {
  const visits = await watchVisits(page)
  for (const [name, path] of openPages) {
    await visits.open(path({} as World))
    expect(await visits.scriptKb(), name).toBe(0)
    await expect(page.locator('script'), name).toHaveCount(0)
    expect(visits.requests(), `${name}: its first content comes with the page`).toEqual([])
    await expectAsStored(page, name, 'body')
  }
})

test('on a phone the areas are behind a button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'operator@example.com')
  await page.getByRole('button', { name: 'Areas' }).click()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Deposits' })).toBeHidden()
})

test('an area that is pressed at the moment when its person’s scopes come leads there all the same', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await openSession(page.context().request, 'viewer@example.com')
  await sandbox.fault({ method: 'GET', path: '/api/v1/Users/{id}/scopes', effect: 'hold' })
  await page.goto('/transactions', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Security' }).hover()
  const deposits = page.getByRole('link', { name: 'Deposits' })
  await expect(deposits).not.toHaveAccessibleDescription(/needs the scope/)
  await page.mouse.down()
  await sandbox.clearFaults()
  await expect(deposits).toHaveAccessibleDescription(/needs the scope/)
  await page.mouse.up()
  await expect(page).toHaveURL('/security')
})

test('with a silent service every page sends its frame', { tag: '@long' }, async ({
  browser,
  page,
  sandbox,
  baseURL,
}) => {
  const world = await prepare(page, sandbox)
  const caseId = await sandbox.raiseCase()
  for (const [people, tested] of [
    ['operator@example.com', pages],
    ['arbitrator@example.com', [...casePages, ['a case', () => `/disputes/${caseId}`]] satisfies Pages],
    ['admin@example.com', adminPages],
  ] as const) {
    for (const [name, path] of tested) {
      // The scopes of a session are cached: each page begins a new one.
      const context = await browser.newContext({ baseURL: baseURL ?? '' })
      await openSession(context.request, people)
      for (const reading of READINGS) {
        await sandbox.fault({ method: 'GET', path: `/api/v1/${reading}`, times: 100, effect: 'hold' })
      }
      const visited = await context.newPage()
      await visited.goto(path(world), { waitUntil: 'commit', ...SOONER_THAN_CONSOLE_GIVES_UP })
      await expect(visited.getByRole('navigation', { name: 'Areas' }), name).toBeVisible()
      await expect(visited.getByRole('heading', { level: 1 }), name).toBeVisible()
      await sandbox.clearFaults()
      await context.close()
    }
  }
})

test('says that an address or a thing does not exist', {
  tag: '@long',
}, async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  await signIn(page, 'operator@example.com')
  const answer = await page.goto('/nothing-here')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page.locator('script')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.goto('/deposits/statements/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
})

test('a page has a title at every moment, also while it gives way to the next', { tag: '@long' }, async ({ page }) => {
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
