import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { showIn } from './support/readable.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'

const field = (page: Page) => page.getByRole('combobox', { name: 'Go to, or look up' })
/** Keys are heard once the page's scripts run. */
const alive = (page: Page) =>
  expect(page.getByRole('button', { name: 'Go to, or paste any reference or id' })).toBeEnabled()
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const recent = (page: Page, words: string) => page.getByRole('list', { name: `Pinned and recent ${words}` })

/** What is selected by a person and pasted arrives at once. */
async function paste(page: Page, text: string): Promise<void> {
  await expect(field(page)).toBeFocused()
  await page.keyboard.insertText(text)
}

test('opens a pasted reference, remembers and pins it', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '70')
  await signIn(page, OPERATOR, '/transactions')
  await expect(page.getByText('No recent transactions')).toBeVisible()
  await expect(page.getByLabel('Reference', { exact: true })).toBeFocused()
  await alive(page)
  await page.keyboard.press('Control+k')
  await paste(page, `  ${reference} `)
  const found = option(page, reference)
  await expect(found).toContainText('70.00 BZD')
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText(/look-ups in [\d,]+ ms/)).toBeVisible()
  await expectAccessible(page)
  await showIn(page, 'dark')
  await expectAccessible(page, ['color-contrast'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/transactions/${encodeURIComponent(reference)}$`))
  await page.getByRole('button', { name: /^Pin Transaction/ }).click()
  await expect(page.getByRole('button', { name: /^Unpin Transaction/ })).toBeVisible()

  await page.goto(`/users/${ANA}`)
  await expect(page.getByRole('table')).toBeVisible()
  await page.goto('/users')
  await expect(recent(page, 'users').getByRole('link', { name: ANA })).toBeVisible()
  await page.goto('/transactions')
  const row = recent(page, 'transactions').getByRole('listitem').filter({ hasText: reference })
  await expect(row.getByRole('img', { name: 'Pinned' })).toBeVisible()
  await row.getByRole('button', { name: /^Unpin/ }).click()
  await expect(row.getByRole('img', { name: 'Pinned' })).toHaveCount(0)
  await expect(row.getByRole('button', { name: /^Pin/ })).toBeVisible()
})

test('the page behind the omnibox takes no click and keeps its style', async ({ page }) => {
  const inherited = () =>
    page.locator('main').evaluate((main) => {
      const style = getComputedStyle(main)
      return [style.pointerEvents, style.getPropertyValue('--removed-body-scroll-bar-size')]
    })
  await signIn(page, OPERATOR, '/deposits')
  await alive(page)
  const before = await inherited()
  const link = page.getByRole('link', { name: 'Cards', exact: true })
  const { x, y }: DOMRect = await link.evaluate((shown) => shown.getBoundingClientRect().toJSON())
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(page.locator('body')).toHaveAttribute('data-scroll-locked')
  // A change would be inherited by every element, and a long page would open the omnibox late.
  expect(await inherited()).toEqual(before)
  await page.mouse.click(x + 5, y + 5)
  await expect(field(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/deposits$/)
})

test('opens omnibox, key list and areas by keyboard alone', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR, '/activity')
  const heading = page.getByRole('heading', { level: 1 })
  await alive(page)
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(heading).toHaveText('Users')
  const id = page.getByLabel('User id', { exact: true })
  await expect(id).toBeFocused()
  // Where somebody types, letters are letters.
  await page.keyboard.type('g?/')
  await expect(id).toHaveValue('g?/')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('issue')
  await expect(option(page, 'Issue a card')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(id).toBeFocused()

  // What is recent and what is found come later, and above: what was moved to stays chosen, but no longer as the third.
  const recent = page.waitForResponse('**/api/session/recent-things')
  await page.keyboard.press('Control+k')
  await (await recent).finished()
  await page.keyboard.type('s')
  await expect(page.getByText(/look-ups in/)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = page.locator('[role="option"][aria-selected="true"]')
  await expect(page.getByRole('option').nth(2)).toHaveAttribute('aria-selected', 'true')
  await expect(chosen).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('activity')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Activity')
  await heading.focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys).toContainText('Previous case')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await expect(heading).toBeFocused()
})

test('tells a failed source from one that found nothing', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '5')
  await signIn(page, OPERATOR, '/')
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await sandbox.fault({ method: 'GET', path: '/api/v1/Transaction/{referenceId}', times: 9, effect: { status: 500 } })
  await page.getByRole('button', { name: 'Go to, or paste any reference or id' }).click()
  await paste(page, reference)
  await expect(page.getByText('Transactions could not be searched: The service could not answer.')).toBeVisible()
  await expect(page.getByText(/Not found/)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('nothing-of-that-name')
  await sandbox.reset()
  await expect(page.getByText(/^Not found, or not visible to you: Transactions, /)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('4111 1111 1111 1111')
  await expect(page.getByText('Card numbers are never looked up. Find cards on the Cards page.')).toBeVisible()
  expect(requests.filter((url) => url.includes('/api/look-up')).length).toBeGreaterThan(1)
  for (const typed of [reference, 'nothing-of-that-name', '4111']) {
    expect(requests.filter((url) => decodeURIComponent(url).includes(typed))).toEqual([])
  }
})
