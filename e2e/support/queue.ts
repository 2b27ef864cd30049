import { expect, type Locator, type Page, type Request } from '@playwright/test'

/** The dispute queue, as a person finds their way on it. */
export const queueTable = (page: Page): Locator => page.getByRole('table', { name: 'Dispute cases' })

export const queueRows = (page: Page): Locator =>
  queueTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

export const rowOfCase = (page: Page, caseId: string): Locator =>
  queueRows(page).filter({ has: page.getByTitle(caseId, { exact: true }) })

/** The ids of the cases that are shown, in order. */
export const shownCases = (page: Page): Promise<readonly string[]> =>
  queueRows(page).evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.title ?? ''))

/** A choice of the filters, by the group it stands in. */
export const choice = (page: Page, group: 'status' | 'assignee' | 'age', name: string): Locator =>
  page.getByRole('navigation', { name: `Cases by ${group}` }).getByRole('link', { name })

const QUIET_MS = 500

/**
 * Back by one entry, before and after which whatever the page still reads is here: the framework reads again at every step,
 * and a step that overtakes this can end one short.
 */
export async function stepBack(page: Page): Promise<void> {
  // Told once a document: it serves the first step only.
  await page.waitForLoadState('networkidle')
  const open = new Set<Request>()
  let latest = Date.now()
  const begun = (request: Request) => void open.add(request)
  const ended = (request: Request) => {
    open.delete(request)
    latest = Date.now()
  }
  page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended)
  await page.goBack()
  latest = Date.now()
  await expect.poll(() => open.size === 0 && Date.now() - latest >= QUIET_MS).toBe(true)
  page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended)
}
