import { expect, type Locator, type Page } from '@playwright/test'

/** `21–40 of 1,204`. */
export const range = (page: Page, words: string): Locator => page.getByRole('status').filter({ hasText: words })

/** The table of a page has come alive: until then, times are plain text and keys do nothing. */
export const alive = (page: Page): Promise<void> =>
  expect(page.locator('[data-row]').first().getByRole('button', { name: 'copy the time' }).first()).toBeVisible()
