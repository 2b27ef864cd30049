import type { Locator, Page } from '@playwright/test'

/** The states in which this console has read the transaction of the page, the present one last. */
export const statesSeen = (page: Page): Locator =>
  page.getByRole('list', { name: 'States seen by this console' }).getByRole('listitem')
