import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { showIn } from './support/readable.ts'
import { ANA } from './support/sandbox-controls.ts'
import { boxOf, composer, expectNewestInView, jumpToLatest, openCase, send, thread } from './support/workbench.ts'

/** A screen of 1440 by 900 at 200 %. */
const AT_200 = { width: 720, height: 450 }

/** How many messages stand whole in the part of the thread that is in view. */
async function messagesInView(page: Page): Promise<number> {
  const log = await boxOf(thread(page))
  const bodies = await thread(page)
    .locator('article [data-said]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  return bodies.filter(({ top, bottom }) => top >= log.y && bottom <= log.bottom).length
}

test('shows five messages at 200 %, and covers no focus', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  for (let at = 1; at <= 8; at += 1) await ana.write(caseId, `Line ${at}.`)
  await page.setViewportSize(AT_200)
  await openCase(page, caseId)
  await jumpToLatest(page)
  await expectNewestInView(page, 'at the end')
  expect(await messagesInView(page)).toBeGreaterThanOrEqual(5)
  const sendAt = (await boxOf(send(page))).y
  await composer(page).focus()
  // It has room to write, and its button stays where it is.
  await expect(async () => expect((await boxOf(composer(page))).height).toBeGreaterThan(60)).toPass()
  await expectNewestInView(page, 'while one writes')
  expect(await messagesInView(page)).toBeGreaterThanOrEqual(5)
  expect((await boxOf(send(page))).y).toBeCloseTo(sendAt, 0)
  await page.keyboard.press('Escape')
  await expect(async () => expect((await boxOf(composer(page))).height).toBeLessThan(40)).toPass()
  for (let stops = 0; stops < 30; stops += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(isCovered)).toBeNull()
  }
})

/** What of the page's own covers the middle of what has the focus; null while nothing does. */
function isCovered(): string | null {
  const focused = document.activeElement
  if (focused === null || focused === document.body || focused.tagName === 'NEXTJS-PORTAL') return null
  const { left, top, width, height } = focused.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const shown = document.elementFromPoint(x, y)
  if (shown !== null && (focused.contains(shown) || shown.contains(focused))) return null
  return `${focused.outerHTML.slice(0, 80)} at ${x} ${y} under ${shown?.outerHTML.slice(0, 80)}`
}

test('is accessible at 200 % in both themes', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await page.setViewportSize(AT_200)
  await openCase(page, caseId)
  const axeInBoth = async () => {
    // With reduced motion, too.
    for (const theme of ['light', 'dark'] as const) {
      await showIn(page, theme)
      await expectAccessible(page)
    }
  }
  await axeInBoth()
  await page.getByRole('tab', { name: 'Decision' }).click()
  await axeInBoth()
  await page.getByText('Refund the sender', { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill('The parcel never left.')
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await expect(dialog).toBeVisible()
  await axeInBoth()
  for (const button of await dialog.getByRole('button').all()) {
    await button.scrollIntoViewIfNeeded()
    await expect(button).toBeInViewport({ ratio: 1 })
  }
})
