import { expect, type Page } from '@playwright/test'
import { findViolations } from './fixtures.ts'
import { showIn } from './readable.ts'

/** Of WCAG 2.2, levels A and AA, as far as axe can tell. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** As a window of 1440 by 900 shows a page at 200 %: half as many pixels of the page. */
const DOUBLE_SIZE = { width: 720, height: 450 }

/** No finding of axe at all, with reduced motion: in both themes, and at 200 %, where nothing stands out of the page sideways. */
export async function expectNoFinding(page: Page, what: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await showIn(page, theme)
    expect(await findings(page), `${what}, ${theme}`).toEqual([])
  }
  await page.setViewportSize(DOUBLE_SIZE)
  // Ids are shortened to the room they have a moment after that has changed.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(overflow, `${what} at 200 %`).toBeLessThanOrEqual(0)
  expect(await findings(page), `${what} at 200 %`).toEqual([])
  // What opens next is as usual, with motion.
  await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function findings(page: Page): Promise<readonly string[]> {
  const violations = await findViolations(page, {
    runOnly: { type: 'tag', values: WCAG },
    rules: { 'target-size': { enabled: true } },
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
