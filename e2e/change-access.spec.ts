import type { Browser, Page } from '@playwright/test'
import { sendNewCard } from './support/card-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const ISSUE = '/api/v1/cards'

const work = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Work' }) })

/** Somebody else, in a browser of their own. */
async function elsewhere(browser: Browser, baseURL: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage()
  await signIn(page, email, '/')
  return page
}

test('people who may read what a change is about see the change; others learn only that there is one', {
  tag: '@long',
}, async ({ page, browser, programs, sandbox }) => {
  const holder = await sandbox.newHolder('sighted')
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'POST', path: ISSUE, effect: 'drop-after' })
  await sendNewCard(page, { userId: holder.id, printedName: 'Sighted' })
  await expect(outcome(page, 'Not known yet')).toBeVisible()
  await page.goto('/')
  const own = work(page).getByRole('link', { name: `Issue a card for …${holder.id.slice(-6)}` })
  const history = (await own.getAttribute('href')) ?? ''
  expect(history).toMatch(/^\/activity\/[\da-f-]{36}$/)

  for (const email of ['viewer@example.com', 'arbitrator@example.com']) {
    const other = await elsewhere(browser, programs.consoleUrl, email)
    await expect(work(other)).toContainText(/\d changes? by others that you cannot see/)
    await expect(other.locator(`a[href="${history}"]`)).toHaveCount(0)
    expect(await other.content()).not.toContain(`…${holder.id.slice(-6)}`)
    await expectAccessible(other)
    const answer = await other.goto(history)
    expect(answer?.status()).toBe(404)
    await expect(other.getByText('Not found, or not visible to you')).toBeVisible()
    expect(await other.content()).not.toContain(holder.id)
    const answers = await other.evaluate(async (id) => {
      const headers = { 'content-type': 'application/json', 'x-console': '1' }
      const topics = JSON.stringify({ topics: ['home', `command ${id}`] })
      const responses = [
        fetch(`/api/commands/${id}`, { headers }),
        fetch('/api/stream/poll', { method: 'POST', headers, body: topics }),
      ]
      return (await Promise.all(responses.map(async (answer) => (await answer).text()))).join(' ')
    }, history.slice('/activity/'.length))
    expect(answers).toContain('Change not found.')
    expect(answers).not.toContain(holder.id)
    await other.context().close()
  }

  const admin = await elsewhere(browser, programs.consoleUrl, 'admin@example.com')
  await admin.goto('/')
  await admin.locator(`a[href="${history}"]`).first().click()
  await expect(admin.getByRole('heading', { name: 'Not known yet' })).toBeVisible()
  await expect(admin.getByText(holder.id).first()).toBeVisible()
  await admin.context().close()
})
