import { expect, test } from './support/fixtures.ts'
import { historyRows, historyTable, opener } from './support/history.ts'
import { Holder } from './support/holder.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

const OPERATOR = 'operator@example.com'
const HISTORY = '/api/v1/Transaction/account/{accountId}'

test('a failure fills the body and leaves the frame; asking again brings the rows', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(21)
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'GET', path: HISTORY, times: 3, effect: { status: 503, title: 'words of a stack' } })
  await page.goto(`/users/${holder.id}?page=2`)
  await expect(page.getByText('The service could not answer')).toBeVisible()
  await expect(page.getByText('words of a stack')).toHaveCount(0)
  await expect(historyTable(page).getByRole('columnheader', { name: 'Sender pays' })).toBeVisible()
  await expect(page.getByText('No transactions yet')).toHaveCount(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(range(page, '21–21 of 21')).toBeVisible()

  await sandbox.fault({ method: 'GET', path: HISTORY, effect: { status: 429, retryAfter: 60 } })
  await page.getByRole('link', { name: 'First page' }).click()
  await expect(page.getByText(/^You can try again in (1 min|\d+ s)\.$/)).toBeVisible()
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: 'garble' })
  await page.reload()
  await expect(page.getByText('The service’s answer cannot be read')).toBeVisible()
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: { status: 403 } })
  await page.reload()
  await expect(page.getByText('You are not permitted to do this')).toBeVisible()
  await expect(page.getByText('core:transactions:read')).toBeVisible()
})

test('rows that are slow to come have outlines of their own height meanwhile', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(21)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await expect(historyRows(page)).toHaveCount(20)
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: 'hold' })
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(historyTable(page)).toHaveAttribute('aria-busy', 'true')
  const outline = historyTable(page).locator('tbody tr[aria-hidden]')
  await expect(outline).toHaveCount(20)
  expect((await outline.first().boundingBox())?.height).toBe(36)
  await sandbox.clearFaults()
  await expect(range(page, '21–21 of 21')).toBeVisible()
  await expect(historyTable(page)).toHaveAttribute('aria-busy', 'false')
})

test('nobody’s history is empty without saying why', async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await expect(page.getByText('Refused transfers do not appear.')).toBeVisible()
  await expect(range(page, 'No rows')).toBeVisible()
})

test('a row that does not fit the interface is said to be unreadable, at its place; the others stand', {
  tag: '@long',
}, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(25)
  await signIn(page, OPERATOR)
  programs.proxy.amend(`/api/v1/Transaction/account/${holder.id}`, (body) => {
    const answer = JSON.parse(body) as { data: { transactions: Record<string, unknown>[] } }
    delete answer.data.transactions[2]?.createdAt
    return JSON.stringify(answer)
  })
  await page.goto(`/users/${holder.id}?page=2`)
  await expect(page.getByText('Row 23 cannot be read')).toBeVisible()
  await expect(historyTable(page).getByText('Queued', { exact: true })).toHaveCount(4)
  await alive(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(opener(page, 3)).toBeFocused()
})

test('an address that asks for what no table has is told so, and shows what there is', { tag: '@long' }, async ({
  page,
  programs,
  sandbox: _reset,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposit(1)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  for (const [query, words] of [
    ['page=0', 'Page “0” in the address is not valid.'],
    ['page=abc', 'Page “abc” in the address is not valid.'],
    ['size=101', '“101” rows a page is not available (20, 50, 100). Showing 20.'],
  ] as const) {
    await page.goto(`/users/${holder.id}?${query}`)
    await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()
    await expect(historyRows(page)).toHaveCount(1)
  }
})

test('a page past the end says so and leads back', { tag: '@long' }, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(21)
  await signIn(page, OPERATOR, `/users/${holder.id}?page=9`)
  await expect(page.getByText('There is no page 9')).toBeVisible()
  await expect(page.getByText('21 rows fill 2 pages of 20.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to page 2' }).click()
  await expect(range(page, '21–21 of 21')).toBeVisible()
})
