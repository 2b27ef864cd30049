import type { Browser, Page } from '@playwright/test'
import { change } from './support/case-workspace.ts'
import { expect, test } from './support/fixtures.ts'
import type { Programs } from './support/programs.ts'
import { queueRows, rowOfCase, shownCases } from './support/queue.ts'
import { openSession, signInWithPassword } from './support/sign-in.ts'
import { ARBITRATOR, connection, liveDot, said } from './support/workbench.ts'

/** Requests of a page about cases, beside the event stream. */
function asksOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/disputes') || pathname === '/api/stream/poll') requests.push(pathname)
  })
  return requests
}

/** Opens the queue and its event stream. */
async function openQueue(page: Page, path = '/disputes'): Promise<void> {
  await openSession(page.context().request, ARBITRATOR)
  const [stream] = await Promise.all([page.waitForResponse('**/api/stream'), page.goto(path)])
  expect(stream.status()).toBe(200)
  await expect(queueRows(page).first()).toBeVisible()
}

/** A colleague who works with another process of the console. */
async function colleagueAt(url: string, browser: Browser, email = 'admin@example.com'): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  await signInWithPassword(page, email)
  await expect(page).toHaveURL(`${url}/`)
  return page
}

const another = (programs: Programs) => programs.startAnotherConsole((at) => ({ NEXTAUTH_URL: at }))

test('the queue marks a case that a colleague takes', { tag: '@long' }, async ({
  page,
  browser,
  programs,
  sandbox: _reset,
}) => {
  const requests = asksOf(page)
  await openQueue(page)
  const [oldest = ''] = await shownCases(page)
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await openSession(colleague.request, 'admin@example.com')
  await colleague.goto('/not-found')
  expect(await change(colleague, 'case.assign', { caseId: oldest })).toMatchObject({ class: 'done' })
  await expect(rowOfCase(page, oldest)).toContainText('Changed')
  await expect(rowOfCase(page, oldest)).toContainText('Unassigned')
  await page.getByRole('button', { name: '1 changed: show' }).click()
  await expect(rowOfCase(page, oldest)).toContainText('admin@example.com')
  expect(requests).toEqual([])
})

test('a page shows changes of a case at another console', {
  tag: '@long',
}, async ({ page, browser, programs, sandbox }) => {
  const [caseId, { url, program }] = [await sandbox.raiseCase(), await another(programs)]
  const colleague = await colleagueAt(url, browser)
  await colleague.goto(`/disputes/${caseId}`)
  await expect(connection(colleague, 'Live')).toBeVisible()
  const requests = asksOf(page)
  await openQueue(page, '/disputes?sort=age')
  const row = rowOfCase(page, caseId)
  await expect(row).toBeVisible()
  expect(await change(colleague, 'case.assign', { caseId })).toMatchObject({ class: 'done' })
  await expect(row).toContainText('Changed')
  await sandbox.postMessage(caseId, 'ana@example.com', 'Have you read this?')
  await expect(said(colleague, 'Have you read this?')).toBeVisible()
  await expect(row).toContainText('1 unread')
  await sandbox.resolveCase(caseId)
  await expect(row).toContainText('Gone')
  expect(requests).toEqual([])
  await program.stop()
})

test('Home shows the outcome of a change at another console', { tag: '@long' }, async ({
  page,
  browser,
  programs,
  sandbox,
}) => {
  const { url, program } = await another(programs)
  const reference = await sandbox.announceDeposit('ana@example.com', '41')
  const operator = await colleagueAt(url, browser, 'operator@example.com')
  await openSession(page.context().request, 'admin@example.com')
  const stream = page.waitForResponse('**/api/stream')
  await page.goto('/')
  await stream
  // The change is done and its answer is lost, so its outcome is unknown until it is read.
  await sandbox.fault({ method: 'POST', path: '/api/v1/Transaction/deposit/confirm', effect: 'drop-after' })
  await operator.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await operator.getByLabel('Bank’s reference').fill('ATL-TWO-CONSOLES')
  await operator.getByLabel('Amount on the statement').fill('41')
  await operator.getByRole('button', { name: /^Confirm deposit/ }).click()
  await operator
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  const work = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Work' }) })
  const shown = work.getByRole('link', { name: 'Confirm deposit of 41.00 BZD' })
  await expect(shown).toBeVisible()
  await shown.focus()
  await expect(shown).toHaveCount(0)
  await expect(work.locator(':focus')).toHaveCount(1)
  await program.stop()
})

test('without a stream, pages poll and say so once', {
  tag: '@long',
}, async ({ page, context, programs, browser, sandbox: _reset }) => {
  await context.route('**/api/stream', () => {})
  await openSession(context.request, ARBITRATOR)
  await page.goto('/disputes')
  const said = liveDot(page, 'Checking every 5 s')
  await expect(said).toBeVisible()
  // The oldest is assigned by the first test.
  const [, second = ''] = await shownCases(page)
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await openSession(colleague.request, 'admin@example.com')
  await colleague.goto('/not-found')
  expect(await change(colleague, 'case.assign', { caseId: second })).toMatchObject({ class: 'done' })
  await expect(rowOfCase(page, second)).toContainText('Changed')
  for (const name of ['Home', 'Deposits', 'Activity']) {
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name }).click()
    await expect(said).toHaveCount(1)
  }
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})
