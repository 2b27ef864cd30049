import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { historyRows, historyTable, opener } from './support/history.ts'
import { Holder } from './support/holder.ts'
import { ANA, OPERATOR_ID } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

const OPERATOR = 'operator@example.com'

const address = (page: Page) => new URL(page.url()).search

test('pages: 20 rows at first, the next, the last, Back, and another size; the rest of the address stays', {
  tag: '@long',
}, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  const references = await holder.deposits(45)
  await signIn(page, OPERATOR, `/users/${holder.id}?via=mail`)
  await expect(range(page, '1–20 of 45')).toBeVisible()
  await expect(historyRows(page)).toHaveCount(20)
  await expect(opener(page, 0)).toHaveAttribute('href', `/transactions/${encodeURIComponent(references[0] ?? '')}`)
  await expect(page.getByRole('link', { name: 'Previous page' })).toHaveAttribute('aria-disabled', 'true')

  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(range(page, '21–40 of 45')).toBeVisible()
  expect(address(page)).toBe('?via=mail&page=2')
  await expect(opener(page, 0)).toHaveAttribute('href', `/transactions/${encodeURIComponent(references[20] ?? '')}`)
  await page.getByRole('link', { name: 'Last page' }).click()
  await expect(range(page, '41–45 of 45')).toBeVisible()
  await expect(historyRows(page)).toHaveCount(5)
  // The focus is not lost on a link that leads nowhere any more.
  await expect(page.getByRole('link', { name: 'Last page' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')

  await page.goBack()
  await expect(range(page, '21–40 of 45')).toBeVisible()
  await page.getByRole('link', { name: '50 rows a page' }).click()
  await expect(range(page, '1–45 of 45')).toBeVisible()
  expect(address(page)).toBe('?via=mail&size=50')
  await page.goBack()
  await expect(range(page, '21–40 of 45')).toBeVisible()

  // A filter reads on until the page is full, says how far, and leads on with it.
  await page.getByRole('combobox', { name: 'State' }).selectOption('PROCESSED')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(range(page, 'Rows 1–45 of 45 searched: 0 matches.')).toBeVisible()
  await expect(page.getByText('No match in the rows searched.')).toBeVisible()
  const further = page.getByRole('link', { name: 'Search further' })
  await expect(further).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('combobox', { name: 'State' }).selectOption('QUEUED')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(range(page, 'Rows 1–20 of 45 searched: 20 matches.')).toBeVisible()
  await further.click()
  await expect(range(page, 'Rows 21–40 of 45 searched: 20 matches.')).toBeVisible()
  expect(address(page)).toBe('?via=mail&state=QUEUED&after=20of45')
  await expect(opener(page, 0)).toHaveAttribute('href', `/transactions/${encodeURIComponent(references[20] ?? '')}`)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(range(page, 'Rows 41–45 of 45 searched: 5 matches.')).toBeVisible()
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect(range(page, 'Rows 21–40 of 45 searched: 20 matches.')).toBeVisible()
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect(range(page, '1–20 of 45')).toBeVisible()
})

test('the keys: j and k move, Home and End, Enter opens; Tab stops in one row only', { tag: '@long' }, async ({
  page,
  programs,
  sandbox: _reset,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(4)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await expect(historyRows(page)).toHaveCount(4)
  await alive(page)
  await page.keyboard.press('j')
  await expect(opener(page, 0)).toBeFocused()
  await page.keyboard.press('k')
  await expect(opener(page, 0)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await expect(opener(page, 2)).toBeFocused()
  await page.keyboard.press('End')
  await expect(opener(page, 3)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  await expect(opener(page, 1)).toBeFocused()

  await page.keyboard.press('ArrowRight')
  await expect(historyRows(page).nth(1).getByRole('button', { name: 'copy Reference' })).toBeFocused()
  // Out of the row, past all the others.
  const size = page.getByRole('link', { name: '20 rows a page' })
  for (let tabs = 0; tabs < 12 && !(await size.evaluate((it) => it === document.activeElement)); tabs += 1) {
    await page.keyboard.press('Tab')
    await expect(historyRows(page).nth(2).locator(':focus')).toHaveCount(0)
  }
  await expect(size).toBeFocused()
  await page.keyboard.press('j')
  await expect(opener(page, 1)).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Transaction', exact: true })).toBeVisible()
})

test('renders rows in the page, and prefetches nothing', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR, `/users/${ANA}`)
  await alive(page)
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/') && request.resourceType() === 'fetch') requests.push(pathname)
  })
  const calls = () =>
    Promise.all([
      sandbox.arrived('GET', `/api/v1/Transaction/account/${ANA}`),
      sandbox.arrived('GET', `/api/v1/Users/${OPERATOR_ID}/scopes`),
    ])
  const [rows, scopes] = await calls()
  const next = page.getByRole('link', { name: 'Next page' })
  const areas = await page.getByRole('navigation', { name: 'Areas' }).getByRole('link').all()
  expect(areas.length).toBeGreaterThan(5)
  for (const link of [...areas, opener(page, 0), next]) await link.hover()
  expect(requests).toEqual([])
  await next.click()
  await expect(range(page, '21–40 of')).toBeVisible()
  expect(requests).toEqual([`/users/${ANA}`])
  expect(await calls()).toEqual([rows + 1, scopes])

  // Rows that come late are sent behind the page, for a script to put in their place.
  const isInPage = async () => {
    const html = await (await page.request.get(`/users/${ANA}`)).text()
    return html.slice(0, html.indexOf('</main>')).includes('data-row=')
  }
  await expect.poll(isInPage).toBe(true)
})

test('columns and the height of rows are kept for the person: after a reload, elsewhere, and for nobody else', {
  tag: '@long',
}, async ({ browser, page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposit(5, 'A note')
  const note = (on: Page) => historyTable(on).getByRole('columnheader', { name: 'Note' })
  const height = async (on: Page) => (await historyRows(on).first().boundingBox())?.height
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await expect(note(page)).toBeVisible()
  expect(await height(page)).toBe(36)

  const saved = () => page.waitForResponse('**/api/session/preferences')
  await page.getByRole('button', { name: 'View' }).click()
  await expect(page.getByRole('checkbox', { name: 'Reference' })).toHaveCount(0)
  await Promise.all([saved(), page.getByRole('checkbox', { name: 'Note' }).uncheck()])
  await Promise.all([saved(), page.getByText('Compact').click()])
  await page.keyboard.press('Escape')
  await expect(note(page)).toHaveCount(0)
  expect(await height(page)).toBe(30)

  await page.reload()
  await expect(note(page)).toHaveCount(0)
  expect(await height(page)).toBe(30)

  const see = async (email: string, check: (other: Page) => Promise<void>) => {
    const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
    const other = await elsewhere.newPage()
    await signIn(other, email, `/users/${holder.id}`)
    await expect(historyRows(other)).toHaveCount(1)
    await check(other)
    await elsewhere.close()
  }
  await see(OPERATOR, async (other) => {
    await expect(note(other)).toHaveCount(0)
    expect(await height(other)).toBe(30)
    await other.getByRole('button', { name: 'View' }).click()
    const kept = other.waitForResponse('**/api/session/preferences')
    await other.getByRole('button', { name: 'Show all columns' }).click()
    await kept
    await expect(note(other)).toBeVisible()
    await Promise.all([other.waitForResponse('**/api/session/preferences'), other.getByText('Normal').click()])
  })
  await see('viewer@example.com', async (other) => {
    await expect(note(other)).toBeVisible()
    expect(await height(other)).toBe(36)
  })
})
