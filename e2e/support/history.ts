import type { Locator, Page } from '@playwright/test'

/** The history of a user, as a person finds their way on it. */
export const historyTable = (page: Page): Locator => page.getByRole('table', { name: 'Transactions of this user' })

export const historyRows = (page: Page): Locator =>
  historyTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

export const rowOf = (page: Page, reference: string): Locator =>
  historyRows(page).filter({ has: page.getByTitle(reference, { exact: true }) })

/** The link by which a row opens: the first in it. */
export const opener = (page: Page, row: number): Locator => historyRows(page).nth(row).getByRole('link').first()
