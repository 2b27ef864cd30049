import type { Locator, Page } from '@playwright/test'
import { watchQuiet } from './visits.ts'

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
export const choice = (page: Page, group: 'status' | 'assignee' | 'turn' | 'age', name: string): Locator =>
  page.getByRole('navigation', { name: `Cases by ${group}` }).getByRole('link', { name })

/**
 * Back by one entry, before and after which whatever the page still reads is here: the framework reads again at every step,
 * and a step that overtakes this can end one short.
 */
export async function stepBack(page: Page): Promise<void> {
  const quiet = watchQuiet(page)
  await quiet()
  await page.goBack()
  await quiet()
}
