import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { ANA, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import {
  boxOf,
  composer,
  connection,
  expectNewestInView,
  jumpToLatest,
  openCase,
  said,
  thread,
} from './support/workbench.ts'

const HEIGHT = 900

const head = (page: Page): Locator => page.getByRole('region', { name: 'Case', exact: true }).locator('header').first()
const more = (page: Page): Locator => page.getByRole('button', { name: 'More', exact: true })

/** The first line of the head has everything side by side, and the head keeps its height. */
async function expectOneLine(page: Page, when: string): Promise<void> {
  const parts = await head(page).evaluate((header) => {
    const outside = header.getBoundingClientRect()
    const line = (header.firstElementChild ?? header).getBoundingClientRect()
    const shown = [
      ...(header.firstElementChild ?? header).querySelectorAll('h1, [data-slot="badge"], [data-slot="button"], span'),
    ]
      .filter((part) => part.closest('[popover], [role="tooltip"], .sr-only') === null && part.checkVisibility())
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1)
    return {
      height: outside.height,
      out: shown.filter(({ left, right }) => left < outside.left || right > outside.right + 0.5).length,
      // One line has a middle that all of it lies on.
      beside: shown.every(({ top, bottom }) => {
        const middle = line.top + line.height / 2
        return top < middle && bottom > middle
      }),
    }
  })
  expect(parts, when).toEqual({ height: 69, out: 0, beside: true })
}

/** Another arbitrator, who has the case open. */
async function colleagueOn(browser: Browser, baseURL: string | undefined, caseId: string): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await signIn(page, 'admin@example.com', `/disputes/${caseId}`)
  return page
}

test('keeps a case’s head one line at every width', {
  tag: '@long',
}, async ({ page, browser, baseURL, sandbox }) => {
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
  await expect(page.getByText('Also viewing: admin@example.com', { exact: true })).toBeVisible()
  await atEveryWidth('not alone')
  await sandbox.dropHub(60_000)
  await expect(connection(page, 'Checking every 5 s')).toBeVisible()
  await atEveryWidth('the hub is away')
  await other.context().close()
})

/** A case whose thread is longer than any screen. */
async function longCase(sandboxUrl: string, sandbox: SandboxControls): Promise<string> {
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(sandboxUrl, 'ana@example.com', ANA)
  for (let at = 1; at <= 25; at += 1) await ana.write(caseId, `Line ${at}. ${'It never came. '.repeat(at % 4)}`)
  return caseId
}

for (const width of [1440, 390]) {
  test(`at ${width} keeps the scroll position when heights change`, {
    tag: '@long',
  }, async ({ page, browser, baseURL, programs, sandbox }) => {
    await page.setViewportSize({ width, height: HEIGHT })
    const caseId = await longCase(programs.sandboxUrl, sandbox)
    await openCase(page, caseId)
    await jumpToLatest(page)
    const manyLines = Array.from({ length: 12 }, (_, at) => `Line ${at}`).join('\n')
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'the reader is at the end': async () => {},
      'a message arrives': async () => {
        await sandbox.postMessage(caseId, 'ben@example.com', 'And another word.\n'.repeat(6))
        await expect(thread(page).getByText('And another word.').last()).toBeVisible()
      },
      'the composer grows': () => composer(page).fill(manyLines),
      'the screen shrinks': () => page.setViewportSize({ width, height: 600 }),
      'the screen grows': () => page.setViewportSize({ width, height: HEIGHT }),
      'the composer shrinks': () => composer(page).fill(''),
      'a fault stands under the composer': () => page.getByRole('button', { name: /^Send message/ }).click(),
      'the screen narrows': () => page.setViewportSize({ width: width - 60, height: HEIGHT }),
      'the screen widens': () => page.setViewportSize({ width, height: HEIGHT }),
    }
    for (const [when, change] of Object.entries(changes)) {
      await change()
      await expectNewestInView(page, when)
    }
    await assignedElsewhere(page, browser, baseURL, caseId)
    await expectNewestInView(page, 'a colleague was faster')

    // Further up, where line 12 is read.
    const line = said(page, 'Line 12.')
    await line.evaluate((it) => it.scrollIntoView({ block: 'center' }))
    await expect(page.getByRole('button', { name: /^Jump to latest/ })).toBeVisible()
    const before = (await boxOf(line)).y
    await page
      .getByRole('button', { name: 'Dismiss' })
      .click({ force: true, timeout: 1_000 })
      .catch(() => {})
    await composer(page).fill(manyLines)
    await sandbox.postMessage(caseId, 'ben@example.com', 'The last word.')
    await expect(said(page, 'The last word.')).toBeAttached()
    expect(Math.abs((await boxOf(line)).y - before)).toBeLessThanOrEqual(1)

    // What came meanwhile is counted, and marked from its first message on.
    const jump = page.getByRole('button', { name: /^Jump to latest/ })
    await expect(jump).toContainText('1 new')
    await sandbox.postMessage(caseId, 'ana@example.com', 'Still there?')
    await expect(jump).toContainText('2 new')
    const marked = thread(page).getByRole('listitem').filter({ hasText: /^New$/ }).locator('+ li')
    await expect(marked).toContainText('The last word.')
    await jump.click()
    await expect(jump).toHaveCount(0)
    await expect(marked).toBeInViewport()
    await expectNewestInView(page, 'at the end again')
  })
}

/** A colleague comes, is faster, and this page is told so below its head. */
async function assignedElsewhere(page: Page, browser: Browser, baseURL: string | undefined, caseId: string) {
  // This page does not ask meanwhile.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const other = await colleagueOn(browser, baseURL, caseId)
  await other.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(other.getByText('Assignee: you', { exact: true })).toBeVisible()
  const assign = page.getByRole('button', { name: 'Assign to me', exact: true })
  if (!(await assign.isVisible())) await more(page).click()
  await assign.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Assigned to admin@example.com' })).toBeVisible()
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await other.context().close()
}

test('a case is pinned from its head, and at narrow widths from More', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await page.setViewportSize({ width: 1440, height: HEIGHT })
  await openCase(page, caseId)
  await page.getByRole('button', { name: /^Pin Case/ }).click()
  await expect(page.getByRole('button', { name: /^Unpin Case/ })).toBeVisible()
  await page.setViewportSize({ width: 390, height: HEIGHT })
  await expect(page.getByRole('button', { name: /^Unpin Case/ })).toBeHidden()
  await more(page).click()
  await page.getByRole('button', { name: /^Unpin Case/ }).click()
  // What came of it is told there.
  await expect(page.getByRole('button', { name: /^Pin Case/ })).toBeVisible()
})

test('shows the whole hint of a time in the queue pane', async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await page.setViewportSize({ width: 1440, height: HEIGHT })
  await openCase(page, caseId)
  await page
    .getByRole('region', { name: 'Open cases' })
    .locator('[data-time-first]:has([data-target="over"])')
    .first()
    .hover()
  const hint = page.getByRole('tooltip')
  await expect(hint).toContainText(/\d\d:\d\d:\d\d UTC\n/)
  const box = await boxOf(hint)
  for (const x of [box.x + 1, box.x + box.width - 1]) {
    for (const y of [box.y + 3, box.y + box.height - 3]) {
      const isHint = await page.evaluate(
        ([x, y]) => document.elementFromPoint(x, y)?.closest('[role="tooltip"]') !== null,
        [x, y] as const,
      )
      expect(isHint, `the hint covers ${x}, ${y}`).toBe(true)
    }
  }
})
