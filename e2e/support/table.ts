import type { Locator, Page } from '@playwright/test'

/** `21–40 of 1,204`. */
export const range = (page: Page, words: string): Locator => page.getByRole('status').filter({ hasText: words })

/** Waits until a table is hydrated and its effects have run: before that, keys do nothing. */
export async function alive(page: Page): Promise<void> {
  // React marks each element that it hydrates.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('[data-row]') ?? {}).some((name) => name.startsWith('__reactFiber')),
  )
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }))
}
