import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { connection, openCase } from './support/workbench.ts'

const HEIGHT = 900

const head = (page: Page): Locator => page.getByRole('region', { name: 'Case', exact: true }).locator('header').first()
const more = (page: Page): Locator => page.getByRole('button', { name: 'More', exact: true })

/** Whatever stands in the head is beside one another, inside it, and the head is as high as ever. */
async function expectOneLine(page: Page, when: string): Promise<void> {
  const parts = await head(page).evaluate((header) => {
    const outside = header.getBoundingClientRect()
    const shown = [...header.querySelectorAll('h1, [data-slot="badge"], [data-slot="button"], span')]
      .filter((part) => part.closest('[popover], [role="tooltip"], .sr-only') === null && part.checkVisibility())
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1)
    return {
      height: outside.height,
      out: shown.filter(({ left, right }) => left < outside.left || right > outside.right + 0.5).length,
      // One line has a middle that all of it lies on.
      beside: shown.every(({ top, bottom }) => {
        const middle = outside.top + outside.height / 2
        return top < middle && bottom > middle
      }),
    }
  })
  expect(parts, when).toEqual({ height: 53, out: 0, beside: true })
}

/** Another arbitrator, who has the case open. */
async function colleagueOn(browser: Browser, baseURL: string | undefined, caseId: string): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await signIn(page, 'admin@example.com', `/disputes/${caseId}`)
  return page
}

test('the head of a case is one line of one height at every width, whoever comes and whatever its connection is; More has the rest', async ({
  page,
  browser,
  baseURL,
  sandbox,
}) => {
  test.setTimeout(180_000)
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const atEveryWidth = async (when: string) => {
    for (const width of [1440, 1280, 1101, 1024, 720, 390, 320]) {
      await page.setViewportSize({ width, height: HEIGHT })
      await expectOneLine(page, `${when}, ${width}`)
    }
  }
  await atEveryWidth('alone')

  // By keyboard, where the line has no room for them.
  await more(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const assign = page.getByRole('button', { name: 'Assign to me', exact: true })
  for (let stops = 0; stops < 5 && !(await assign.evaluate((it) => it === document.activeElement)); stops += 1) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(more(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('definition').getByText(/^you, since/)).toBeVisible()
  await page.keyboard.press('Escape')
  await atEveryWidth('assigned')

  const other = await colleagueOn(browser, baseURL, caseId)
  await expect(page.getByText('1 also looking', { exact: true })).toBeVisible({ timeout: 20_000 })
  await atEveryWidth('not alone')
  await sandbox.dropHub(60_000)
  await expect(connection(page, 'Checking every 5 s')).toBeVisible({ timeout: 20_000 })
  await atEveryWidth('the hub is away')
  await other.context().close()
})
