import { expect, type Page } from '@playwright/test'
import { showIn } from './readable.ts'

/** Where `npm run screenshots` puts them, below the folder of the project. */
const FOLDER = 'screenshots'
const WIDTHS = [1440, 1024, 390] as const
const THEMES = ['light', 'dark'] as const

/** Pictures of a page once nothing of it is read any more. `name`: the page, a slash, its state. */
export async function picture(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await pictureAsItIs(page, name)
}

/**
 * Pictures of a page as it is now, in both themes and at every width: the whole of it, or what is in view where a dialog
 * covers that.
 */
export async function pictureAsItIs(page: Page, name: string): Promise<void> {
  const covered = (await page.getByRole('dialog').count()) > 0
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of THEMES) {
      await showIn(page, theme)
      await page.screenshot({ path: `${FOLDER}/${name}/${width}-${theme}.png`, fullPage: !covered })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** A page as a window of 1440 by 900 shows it at 200 %: half as many pixels of the page, and only what is in view. */
export async function pictureAtDoubleSize(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 720, height: 450 })
  await page.screenshot({ path: `${FOLDER}/${name}/200-percent.png` })
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** What README shows of a page: the upper part of a window, so that its file is small. */
export async function pictureForReadme(page: Page, name: string, theme: (typeof THEMES)[number]): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 560 })
  await showIn(page, theme)
  await page.screenshot({ path: `${FOLDER}/${name}/readme-${theme}.png` })
  await page.setViewportSize({ width: 1440, height: 900 })
}
