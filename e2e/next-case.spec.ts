import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { queueRows, shownCases } from './support/queue.ts'
import { openSession } from './support/sign-in.ts'
import { ARBITRATOR } from './support/workbench.ts'

/** The cases whose pages the router asks for whole, by their ids. */
function casesAskedFor(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const [, id] = /^\/disputes\/([^/]+)$/.exec(new URL(request.url()).pathname) ?? []
    const headers = request.headers()
    if (id !== undefined && headers.rsc === '1' && headers['next-router-prefetch'] === undefined) requests.push(id)
  })
  return requests
}

const recentCases = (page: Page): Promise<string> =>
  page.evaluate(async () => await (await fetch('/api/session/recent-things', { headers: { 'x-console': '1' } })).text())

test('the next case is read ahead, the queue stays', { tag: '@long' }, async ({ page, sandbox: _reset }) => {
  const requests = casesAskedFor(page)
  await openSession(page.context().request, ARBITRATOR)
  await page.goto('/disputes')
  await expect(queueRows(page).first()).toBeVisible()
  const [first = '', second = ''] = await shownCases(page)
  await expect.poll(() => requests).toEqual([first])
  await queueRows(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(first))
  const pane = page.getByRole('region', { name: 'Open cases' })
  const current = pane.locator('[aria-current="page"]')
  await expect(current).toHaveAttribute('href', `/disputes/${first}`)
  await expect.poll(() => requests).toContain(second)
  await expect.poll(() => recentCases(page)).toContain(first)
  expect(await recentCases(page)).not.toContain(second)

  await pane.evaluate((element) => element.setAttribute('data-kept', 'yes'))
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(second))
  await expect(current).toHaveAttribute('href', `/disputes/${second}`)
  await expect(pane).toHaveAttribute('data-kept', 'yes')
  await expect.poll(() => recentCases(page)).toContain(second)
  expect(requests.filter((id) => id === second)).toHaveLength(1)
})
