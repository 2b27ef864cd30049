import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import type { Programs } from './support/programs.ts'
import { handleOf } from './support/received.ts'
import { signIn, signInAgain, signInWithPassword } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'

/** Another browser of the same person. */
async function elsewhere(browser: Browser, programs: Programs): Promise<Page> {
  const context = await browser.newContext({ baseURL: programs.consoleUrl })
  return await context.newPage()
}

const account = (page: Page) => page.getByRole('button', { name: `Account: ${OPERATOR}` })
const sessions = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Your sessions' }) })
    .getByRole('listitem')
const over = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your session is over' })

/** Ends what tests before this one left signed in. */
async function aloneAtSecurity(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(sessions(page).first()).toContainText('This one')
  if ((await sessions(page).count()) === 1) return
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions(page)).toHaveCount(1)
}

test('a session ended from the list covers the other browser', { tag: '@long' }, async ({
  browser,
  page,
  programs,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '61')
  const there = `/deposits?${new URLSearchParams({ reference })}`
  const other = await elsewhere(browser, programs)
  await signIn(page, OPERATOR)
  await aloneAtSecurity(page)
  await signIn(other, OPERATOR, there)
  await page.reload()
  await expect(sessions(page)).toHaveCount(2)
  await expect(sessions(page).first()).toContainText('This one')
  await expect(sessions(page).nth(1)).toContainText('Chrome on Linux')
  await expectAccessible(page)

  await page.getByRole('button', { name: /^End the session/ }).click()
  await expect(over(other)).toBeVisible()
  await expect(page.getByText('The session of Chrome on Linux has ended.')).toBeVisible()
  await expect(sessions(page)).toHaveCount(1)
  await expectAccessible(other)

  await over(other).getByRole('link', { name: 'Sign in again', exact: true }).click()
  await expect(other.getByText('Your session has ended.')).toBeVisible()
  await signInAgain(other, OPERATOR)
  await expect(other).toHaveURL(there)
  await other.context().close()
})

test('all others end at once, and this one stays', { tag: '@long' }, async ({ browser, page, programs }) => {
  const others = [await elsewhere(browser, programs), await elsewhere(browser, programs)]
  await signIn(page, 'admin@example.com')
  await aloneAtSecurity(page)
  for (const other of others) await signIn(other, 'admin@example.com')
  await page.reload()
  await expect(sessions(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByText('All other sessions have ended.')).toBeVisible()
  await expect(sessions(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'End all others' })).toBeDisabled()
  for (const other of others) {
    await expect(over(other)).toBeVisible()
    await other.context().close()
  }
})

test('nobody ends a session that is not theirs', { tag: '@long' }, async ({ browser, page, programs }) => {
  const other = await elsewhere(browser, programs)
  await signIn(other, 'arbitrator@example.com', '/security')
  await signIn(page, 'viewer@example.com', '/security')
  // A second one of the arbitrator, so that its id shows in a request of theirs.
  const third = await elsewhere(browser, programs)
  await signIn(third, 'arbitrator@example.com')
  await other.reload()
  // What the arbitrator asks for never arrives: the session is there when somebody else asks for the same.
  await other.route('**/api/session/sessions/*', (route) => route.abort())
  const ending = other.waitForRequest((request) => request.method() === 'DELETE')
  await other
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click()
  const ended = new URL((await ending).url()).pathname
  const status = await page.evaluate(
    async (path) => (await fetch(path, { method: 'DELETE', headers: { 'x-console': '1' } })).status,
    ended,
  )
  expect(status).toBe(200)
  await third.reload()
  await expect(third.getByRole('button', { name: 'Account: arbitrator@example.com' })).toBeVisible()
  for (const one of [other, third]) await one.context().close()
})

test('a sixth sign-in ends the least recently active session', { tag: '@long' }, async ({
  browser,
  page,
  programs,
}) => {
  const first = await elsewhere(browser, programs)
  await signInWithPassword(first, OPERATOR)
  await expect(account(first)).toBeVisible()
  for (let others = 0; others < 4; others += 1) {
    const other = await elsewhere(browser, programs)
    await signInWithPassword(other, OPERATOR)
    await expect(account(other)).toBeVisible()
    await other.context().close()
  }
  await signInWithPassword(page, OPERATOR)
  await expect(account(page)).toBeVisible()
  await expect(over(first)).toBeVisible()
  await page.goto('/security')
  await expect(sessions(page)).toHaveCount(5)
  await first.context().close()
})

test('keys are told of once a minute; listening to the session is no activity', { tag: '@long' }, async ({ page }) => {
  await page.clock.install()
  const counts = { activity: 0, streams: 0 }
  const others: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/session/activity') counts.activity += 1
    else if (pathname !== '/api/stream' && pathname.startsWith('/api/')) others.push(pathname)
  })
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === '/api/stream') counts.streams += 1
  })
  await signIn(page, OPERATOR)
  await page.clock.runFor(5_000)
  await expect.poll(() => counts.streams).toBe(1)
  // An idle page asks for nothing by a timer: what it asks for at the stream's first events comes once.
  await page.clock.runFor(30_000)
  expect([counts.activity, others]).toEqual([0, [...new Set(others)]])
  for (let times = 1; times <= 3; times += 1) {
    await page.getByLabel('Reference', { exact: true }).pressSequentially('many keys')
    await page.clock.runFor(60_000)
    await expect.poll(() => counts.activity).toBe(times)
  }
})

test('what is typed for a deposit is there after a reload, after signing in again, and in another browser', {
  tag: '@long',
}, async ({ browser, page, context, programs, sandbox }) => {
  const references = [
    await sandbox.announceDeposit('ana@example.com', '62'),
    await sandbox.announceDeposit('ana@example.com', '63'),
  ]
  const here = `/deposits?reference=${encodeURIComponent(references[0]!)}`
  const bankReference = (of: Page) => of.getByLabel('Bank’s reference')
  const amount = (of: Page) => of.getByLabel('Amount on the statement')
  await signIn(page, OPERATOR, here)
  await bankReference(page).fill('ATL-S1')
  await amount(page).pressSequentially('62.0')
  await page.reload()
  await expect(bankReference(page)).toHaveValue('ATL-S1')
  await expect(amount(page)).toHaveValue('62.0')
  await expect(page.getByText('Same amount')).toBeVisible()

  // Each deposit has its own, also on a step back.
  await page.getByLabel('Reference', { exact: true }).fill(references[1]!)
  await amount(page).fill('62.00')
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('button', { name: 'Confirm deposit of 63.00 BZD' })).toBeVisible()
  await expect(bankReference(page)).toHaveValue('')
  await page.goBack()
  await expect(amount(page)).toHaveValue('62.00')

  await page.getByRole('button', { name: `Account: ${OPERATOR}` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  await context.clearCookies()
  await signIn(page, OPERATOR, here)
  await expect(bankReference(page)).toHaveValue('ATL-S1')
  await expect(amount(page)).toHaveValue('62.00')

  const other = await elsewhere(browser, programs)
  await signIn(other, 'admin@example.com', here)
  await expect(bankReference(other)).toHaveValue('')
  await other.context().clearCookies()
  await signIn(other, OPERATOR, here)
  await expect(bankReference(other)).toHaveValue('ATL-S1')
  await other.context().close()
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

test('a handle is worth nothing once its session has ended', async ({ browser, page, programs }) => {
  const other = await elsewhere(browser, programs)
  await signIn(other, OPERATOR)
  const stolen = await handleOf(other.context())
  await signIn(page, OPERATOR, '/security')
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByText('All other sessions have ended.')).toBeVisible()
  const answer = await fetch(`${programs.consoleUrl}/deposits`, {
    headers: { cookie: `__Host-console.sid=${stolen}` },
    redirect: 'manual',
  })
  expect(answer.headers.get('location')).toContain('/sign-in?why=ended')
  await other.context().close()
})
