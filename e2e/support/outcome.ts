import { expect, type Locator, type Page } from '@playwright/test'

/** The panel that tells what came of a change, by its head. */
export const outcome = (page: Page, title: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** What came of one's own act is in view and has the focus. */
export async function expectOutcome(page: Page, title: string): Promise<Locator> {
  const panel = outcome(page, title)
  await expect(panel).toBeFocused()
  await expect(panel.getByRole('heading', { name: title, exact: true })).toBeInViewport({ ratio: 1 })
  return panel
}

/** Keeps a page from asking what came of its changes, so that one stays as it is. Answers how to let it ask. */
export async function holdLooks(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/commands\/[\w-]+/, async (route) => {
    if (route.request().method() === 'GET') await released
    await route.continue()
  })
  return release
}

/** Keeps a page from reading itself again from the server. Answers how to let it. */
export async function holdReads(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    if (route.request().headers().rsc !== undefined) await released
    await route.continue()
  })
  return release
}
