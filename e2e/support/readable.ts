import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './fixtures.ts'

/** `npm run test:long` looks at every width in both themes. */
export const LONG = process.env.TEST_LONG === 'on'

const [WIDEST, NARROWEST] = [1440, 390]
export const WIDTHS: readonly number[] = LONG ? [WIDEST, 1024, NARROWEST] : [WIDEST, NARROWEST]

/** The rules of axe whose findings depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

type Theme = 'dark' | 'light'

/** A page reads well at every width; it is left at the narrowest. */
export async function expectReadable(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expectReadableAt(page, width, what)
  }
}

/**
 * Nothing stands out of the page sideways, and axe finds nothing serious: in light at the widest; in dark, which changes
 * colours alone, at the narrowest.
 */
export async function expectReadableAt(page: Page, width: number, what: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${what} at ${width}`).toBeLessThanOrEqual(0)
  if (LONG || width === NARROWEST) {
    await showIn(page, 'dark')
    await expectAccessible(page, COLOUR_RULES)
  }
  if (LONG || width === WIDEST) {
    await showIn(page, 'light')
    await expectAccessible(page)
  }
}

/** Shows a page in a theme, and waits until no colour is on its way to it. */
export async function showIn(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    do {
      await new Promise(requestAnimationFrame)
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    } while (document.getAnimations().length > 0)
  })
}
